import CRetainPaths
import LifetimeTracer
import TracerBase

/// Groups the findings about the objects of some lines by what holds the objects.
struct PathGrouping {
    private let lines: LineNaming
    /// The metadata that alone determine the line of an object.
    private let types: Set<UInt>
    private let modules: Set<String>

    /// - Parameters:
    ///   - keys: The keys of the lines.
    ///   - libraryModules: Modules of libraries besides the known ones.
    init(lines: LineNaming, keys: [LineKey], libraryModules: Set<String>) {
        self.lines = lines
        types = Set(keys.filter { $0.kind == UInt8(RP_LINE_OBJECTS.rawValue) && $0.detail == 0 }.map(\.metadata))
        modules = KnownTypes.libraries.union(libraryModules)
    }

    private struct Identity: Hashable {
        let status: HeapGraph.Paths.Group.Status
        /// Whether the words are those of the fingerprint's part of the path.
        let hasFingerprint: Bool
        /// Two roots that hold objects in the same way are two groups.
        let root: String
        /// See ``NamedPath/wordsWithoutDetours``.
        let words: [String]
        /// See ``NamedPath/mechanisms``.
        let mechanisms: [String]
    }

    private struct Entry {
        var group: HeapGraph.Paths.Group
        /// The shortest path to an object of the group.
        var path: NamedPath?
    }

    /// The groups, those with the most objects first.
    ///
    /// - Parameter name: The name of the type.
    func groups(_ answer: HeapAnswer, name: String) -> [HeapGraph.Paths.Group] {
        let reader = NodeReader(names: lines.names, threads: answer.threads, libraryModules: modules)
        var entries: [Identity: Entry] = [:]
        for finding in answer.findings {
            guard let status = HeapGraph.Paths.Group.Status(finding.status) else { continue }
            let path = NamedPath(finding, reader: reader, targets: sameType(in: finding), libraryModules: modules)
            let fingerprint = path?.fingerprint
            let signature = path?.signature ?? []
            let (words, hasDetour) = path?.wordsWithoutDetours ?? ([], false)
            let identity = Identity(
                status: status, hasFingerprint: fingerprint != nil, root: signature.first ?? "", words: words,
                mechanisms: path?.mechanisms ?? [])
            add(
                path,
                HeapGraph.Paths.Group(
                    status: status, name: name, throughOthers: isThroughOther(path) ? 1 : 0,
                    throughMore: hasDetour ? 1 : 0, fingerprint: fingerprint,
                    signature: signature.joined(separator: " \(PathPattern.separator) ")),
                to: &entries[identity])
        }
        let groups = entries.values.map { entry in
            var group = entry.group
            group.path = entry.path?.steps ?? []
            group.cycle = entry.path?.cycle
            return group
        }
        return groups.sorted {
            ($1.count, $0.signature, $0.status.rawValue) < ($0.count, $1.signature, $1.status.rawValue)
        }
    }

    /// Adds an object to its group, which keeps the shortest path.
    private func add(_ path: NamedPath?, _ group: HeapGraph.Paths.Group, to entry: inout Entry?) {
        guard var known = entry else {
            entry = Entry(group: group, path: path)
            return
        }
        known.group.count += 1
        known.group.throughOthers += group.throughOthers
        known.group.throughMore += group.throughMore
        if let path, let old = known.path {
            // Of equally long paths, the order of the objects in memory must not choose.
            let isFirst = (path.nodes.count, group.signature) < (old.nodes.count, known.group.signature)
            known.path = isFirst ? path.withoutVarying(old) : old.withoutVarying(path)
            if isFirst {
                known.group.signature = group.signature
                known.group.fingerprint = group.fingerprint
            }
        }
        entry = known
    }

    /// The object, and the objects of the same type on its path.
    ///
    /// Whatever an object of the type holds is held by the holder of that object.
    private func sameType(in finding: HeapAnswer.Finding) -> Set<HiddenAddress> {
        let objects = finding.steps.filter { $0.node == .object && types.contains($0.metadata) }
        return Set((objects.map(\.address) + [finding.address]).map(HiddenAddress.init))
    }

    private func isThroughOther(_ path: NamedPath?) -> Bool {
        guard let path, path.beginsAtRoot, path.cycle == nil else { return false }
        return path.firstGone < path.nodes.count - 1
    }
}

extension NamedPath {
    /// The closures, tasks and blocks that the short form shows, without those that repeat the one before them.
    ///
    /// A fingerprint does not tell the closures of a function apart, and does not depend on what keeps a closure. But
    /// the remedy differs.
    fileprivate var mechanisms: [String] {
        var found: [String] = []
        for index in nodes.indices where isShown(index) {
            let word: String
            switch nodes[index].role {
            case .closure: word = nodes[index].name
            case .task: word = PathNode.task
            case .block: word = nodes[index].kind.rawValue
            case .root, .object, .plumbing, .storage, .thunk, .box, .gap: continue
            }
            if word != found.last { found.append(word) }
        }
        return found
    }

    /// The same path, with `[…]` for the elements of collections that are others in another path, and without the
    /// functions of tasks that are others there.
    fileprivate func withoutVarying(_ other: NamedPath) -> NamedPath {
        var path = self
        let isSameLength = nodes.count == other.nodes.count
        for index in nodes.indices where nodes[index].element.hasPrefix("[") {
            guard !isSameLength || other.nodes[index].element != nodes[index].element else { continue }
            path.nodes[index].element = "[…]"
        }
        for index in nodes.indices where nodes[index].role == .task {
            guard !isSameLength || other.nodes[index].name != nodes[index].name else { continue }
            path.nodes[index].name = PathNode.task
        }
        return path
    }
}

extension HeapGraph.Paths.Group.Status {
    /// `nil` for an object that was not found again, or was left out.
    fileprivate init?(_ status: HeapAnswer.Finding.Status) {
        switch status {
        case .reachable: self = .reachable
        case .cycle: self = .cycle
        case .leakedByCycle: self = .leakedByCycle
        case .noRootFound: self = .noRootFound
        case .deinitializing: self = .deinitializing
        case .notFound, .notExamined: return nil
        }
    }
}
