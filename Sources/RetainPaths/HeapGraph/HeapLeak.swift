public import LifetimeTracer
import TracerBase

extension HeapGraph {
    /// Equal leaks: objects that no root reaches, with everything that only they hold.
    public struct Leak: Sendable, HasRetainPath {
        /// What keeps the objects of a leak.
        public enum Kind: String, Sendable, CaseIterable {
            /// The objects hold each other, and nobody else holds them.
            ///
            /// Every strong reference to them is a reference of the cycle that a layout confirms.
            case cycle
            /// The objects hold each other, but one of them is a Task that has not ended, some of the references are
            /// words that merely look like references, or an `Unmanaged` reference in use or a global variable refers
            /// to one of them without retaining it.
            case uncertainCycle
            /// An object has more strong references than were found.
            ///
            /// It was retained too often, or something holds it that the search does not see, such as a register of a
            /// waiting thread.
            case overRetained
        }

        /// What keeps the objects.
        public let kind: Kind
        /// The name of the object at which the path begins, for users: `Screen`.
        public let name: String
        /// The type of that object with its module; empty if there is none.
        public let type: String
        /// Whether the type or one of its generic arguments is in a module of the program, or the cycle contains a
        /// closure of such a module.
        public let isOfProgram: Bool
        /// The number of equal leaks.
        public internal(set) var count: Int
        /// The objects of all these leaks.
        public internal(set) var objects: Int
        /// The bytes of all these leaks, with malloc's header of each block.
        public internal(set) var bytes: Int
        /// The instances of classes that only these leaks hold, without those of the cycles; the most first.
        ///
        /// At most the eight types that are nearest to the cycle are listed.
        public internal(set) var victims: [Victims]
        /// The strong reference count of the object at which the path begins.
        public let strongReferences: Int
        /// The number of strong references to that object that were found.
        public let explainedReferences: Int
        /// The steps of the cycle of one of the leaks; empty if there is no cycle.
        public let path: [RetainStep]
        /// The position of the cycle in ``path``.
        public let cycle: ClosedRange<Int>?
        /// The step of ``path`` whose reference should most likely be given up.
        ///
        /// `nil` if the reference is not certain, or if several references of a cycle are equally likely.
        public let suspect: Int?
        /// The remedy in words, if the pattern of the leak is known.
        public let hint: RetainHint?
        /// A hash that is the same for the same leak in every run; see ``RetainExplanation/fingerprint``.
        public let fingerprint: Fingerprint?
        /// The path as types, properties and closures; see ``RetainExplanation/signature``.
        public let signature: String
        /// The known leak that this leak matches, if any.
        public let known: KnownLeak?
        /// The known leak that this leak matched until its last day.
        public let expired: KnownLeak?

        /// Creates a leak.
        package init(
            kind: Kind, name: String, type: String = "", isOfProgram: Bool = false, count: Int = 1, objects: Int = 1,
            bytes: Int = 0, victims: [Victims] = [], strongReferences: Int = 1, explainedReferences: Int = 1,
            path: [RetainStep] = [],
            cycle: ClosedRange<Int>? = nil, suspect: Int? = nil, hint: RetainHint? = nil,
            fingerprint: Fingerprint? = nil, signature: String = "", known: KnownLeak? = nil, expired: KnownLeak? = nil
        ) {
            self.kind = kind
            self.name = name
            self.type = type
            self.isOfProgram = isOfProgram
            self.count = count
            self.objects = objects
            self.bytes = bytes
            self.victims = victims.inOrder
            self.strongReferences = strongReferences
            self.explainedReferences = explainedReferences
            self.path = path
            self.cycle = cycle
            self.suspect = suspect
            self.hint = hint
            self.fingerprint = fingerprint
            self.signature = signature
            self.known = known
            self.expired = expired
        }
    }

    /// The leaks of a heap.
    public struct Leaks: Sendable {
        /// The objects that hold each other and that nobody else holds; the most bytes first.
        public let cycles: [Leak]
        /// The objects that may be leaked, or in use in a way that the search does not see; the most bytes first.
        public let uncertain: [Leak]
        /// The number of leaks that are not listed, because there are more than 512 different ones.
        public let leftOut: Int
        /// The number of cycles among the leaks that are not listed.
        ///
        /// The others may be in use. Cycles are not listed only if all 512 places are taken.
        public let leftOutCycles: Int
        /// The number of objects that no root reaches, but that were not compared with a second copy, because there
        /// are more than 4,194,304 of them.
        ///
        /// They are not called leaks.
        public let notCompared: Int
        /// The reason for which leaks were not searched for: the memory limit or the timeout; `nil` if they were.
        public let obstacle: String?

        /// Creates a list of leaks.
        package init(
            cycles: [Leak] = [], uncertain: [Leak] = [], leftOut: Int = 0, leftOutCycles: Int = 0,
            notCompared: Int = 0, obstacle: String? = nil
        ) {
            self.cycles = cycles
            self.uncertain = uncertain
            self.leftOut = leftOut
            self.leftOutCycles = leftOutCycles
            self.notCompared = notCompared
            self.obstacle = obstacle
        }

        /// All leaks, the certain ones first.
        public var all: [Leak] { cycles + uncertain }
    }
}

extension HeapGraph.Leak {
    /// The leak as text: the types, counts and bytes, the path with a line for each step, and the hint.
    ///
    /// - Parameter full: Whether to include the steps that the short form omits.
    public func text(full: Bool = false) -> String {
        let times = count > 1 ? " (×\(count.grouped))" : ""
        let sizes = "\(objects.grouped) object\(objects == 1 ? "" : "s"), \(bytes.grouped) bytes"
        var text =
            switch kind {
            case .cycle: "\(name)\(times) holds itself through a cycle that no root reaches; \(sizes).\n"
            case .uncertainCycle:
                "\(name)\(times) may hold itself through a cycle that no root reaches; \(sizes).\n"
            case .overRetained:
                "\(name)\(times) has \(strongReferences) strong reference\(strongReferences == 1 ? "" : "s"), "
                    + "of which \(explainedReferences) \(explainedReferences == 1 ? "was" : "were") found: "
                    + "it was over-retained, or is held out of sight; \(sizes).\n"
            }
        text += pathText(full: full)
        if !victims.isEmpty {
            let list = victims.map(\.text).joined(separator: ", ")
            text += "  Held by \(count > 1 ? "them" : "it") alone: \(list).\n"
        }
        if let hint { text += "  \(hint.text)\n" }
        return text + RetainText.known(known, expired: expired)
    }
}
