public import LifetimeTracer
import TracerBase

extension HeapGraph {
    /// What holds the objects of a type: paths from roots, each with the number of objects that are held so.
    public struct Paths: Sendable {
        /// Objects that the same root holds in the same way.
        public struct Group: Sendable, HasRetainPath {
            /// How the objects of a group are held.
            public enum Status: String, Sendable, CaseIterable {
                /// A chain of strong references leads from a root to the object.
                case reachable
                /// The object holds itself, through objects that no root reaches.
                case cycle
                /// A cycle that no root reaches holds the object.
                case leakedByCycle
                /// No holder explains the object: it was retained too often, or a thread holds it in a register.
                case noRootFound
                /// The object's deinit is running, or only unowned references to it are left.
                case deinitializing
            }

            /// How the objects are held.
            public let status: Status
            /// The name of the objects' type, for users.
            public let name: String
            /// The number of objects.
            public internal(set) var count: Int
            /// The number of these objects that are held through another object of the type, such as the next node of a
            /// list.
            public internal(set) var throughOthers: Int
            /// The number of these objects that are held through more objects of the types on the path, such as what
            /// hangs on the other nodes of a list or a tree.
            public internal(set) var throughMore: Int
            /// The shortest path to one of the objects; empty if there is none.
            ///
            /// An index or a key that differs between the objects is shown as `[…]`.
            public internal(set) var path: [RetainStep]
            /// The position of the cycle in ``path``, if there is one.
            public internal(set) var cycle: ClosedRange<Int>?
            /// A hash that is the same for the same holders in every run; see ``RetainExplanation/fingerprint``.
            ///
            /// `nil` if a reference of the path is not certain.
            public internal(set) var fingerprint: Fingerprint?
            /// The path as types, properties and closures; see ``RetainExplanation/signature``.
            public internal(set) var signature: String
            /// Always `nil`: nothing says that the objects should be gone.
            public var suspect: Int? { nil }

            /// Creates a group.
            package init(
                status: Status, name: String, count: Int = 1, throughOthers: Int = 0, throughMore: Int = 0,
                path: [RetainStep] = [], cycle: ClosedRange<Int>? = nil, fingerprint: Fingerprint? = nil,
                signature: String = ""
            ) {
                self.status = status
                self.name = name
                self.count = count
                self.throughOthers = throughOthers
                self.throughMore = throughMore
                self.path = path
                self.cycle = cycle
                self.fingerprint = fingerprint
                self.signature = signature
            }
        }

        /// The lines of the capture whose objects were searched for, with their counts at the capture.
        public let lines: [Line]
        /// The number of objects at the time of the search.
        public let count: Int
        /// The number of objects whose holders were searched for: all, or a sample that is spread evenly over the heap.
        public let examined: Int
        /// The objects by what holds them; the most objects first.
        public let groups: [Group]
        /// The cost of the search.
        public internal(set) var cost: RetainCost

        /// Creates a result.
        package init(lines: [Line], count: Int, examined: Int, groups: [Group], cost: RetainCost) {
            self.lines = lines
            self.count = count
            self.examined = examined
            self.groups = groups
            self.cost = cost
        }
    }
}

extension HeapGraph.Paths {
    /// The result as text: a headline, and each group with its path.
    public func text(full: Bool = false) -> String {
        "\(headline)\n" + groups.map { "\n" + $0.text(of: examined, full: full) }.joined()
    }

    /// How many objects there are and how many of them were examined, in a sentence.
    package var headline: String {
        let names = lines.map(\.name)
        let name = Set(names).count == 1 ? names[0] : names.joined(separator: ", ")
        guard count > 0 else {
            let earlier = lines.reduce(0) { $0 + $1.count }
            return "\(name): none now; the capture had \(earlier.grouped)."
        }
        guard examined < count else { return "\(name): \(count.grouped) now, all examined." }
        return "\(name): \(count.grouped) now, \(examined.grouped) of them examined, spread evenly over the heap."
    }
}

extension HeapGraph.Paths.Group {
    /// The group as text: how many objects are held by what, and the path.
    ///
    /// - Parameter examined: The number of all examined objects.
    package func text(of examined: Int, full: Bool = false) -> String {
        "\(headline(of: examined))\n\(pathText(full: full))"
    }

    /// `1,204 of 1,300 by static Cache.shared`.
    ///
    /// - Parameter examined: The number of all examined objects.
    package func headline(of examined: Int) -> String {
        let share = "\(count.grouped) of \(examined.grouped)"
        let perhaps = path.allSatisfy(\.isCertain) ? "" : "perhaps "
        let own =
            switch status {
            case .reachable: "\(share) \(perhaps)by \(path.first?.name ?? "a root")"
            case .cycle: "\(share) \(perhaps)by their own cycle, which no root but perhaps a stack reaches"
            case .leakedByCycle: "\(share) \(perhaps)by a cycle that no root but perhaps a stack reaches"
            case .noRootFound where path.isEmpty:
                "\(share) without a known holder: over-retained, or held in a register of a thread"
            case .noRootFound:
                "\(share) by \(path[0].name), which has no known holder: over-retained, or held in a register of a "
                    + "thread"
            case .deinitializing: "\(share) whose deinit is running, or to which only unowned references are left"
            }
        let others = throughOthers > 0 ? "; \(throughOthers.grouped) of them through another \(name)" : ""
        let more = throughMore > 0 ? "; \(throughMore.grouped) of them through more objects of these types" : ""
        return own + others + more
    }
}
