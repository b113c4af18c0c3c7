import TracerBase

extension NamedPath {
    /// Reads the path of a leak, which begins at the same object of a cycle in every run of the program.
    init?(ofLeak finding: HeapAnswer.Finding, reader: NodeReader, libraryModules: Set<String>) {
        let paths = finding.rotations.compactMap { finding in
            NamedPath(
                finding, reader: reader, targets: [HiddenAddress(wrappedValue: finding.address)],
                libraryModules: libraryModules)
        }
        // Not the signatures, because they do not contain the numbers of closures.
        let words = paths.map { path in path.nodes.map { $0.name + $0.members } }
        guard let first = zip(paths, words).min(by: { $0.1.lexicographicallyPrecedes($1.1) }) else { return nil }
        self = first.0
    }
}

extension HeapAnswer.Finding {
    /// The cycle as told from each of its objects of the class with which it begins; else the finding alone.
    ///
    /// Which of these objects comes first depends on their addresses, which differ from run to run. Cycles that read
    /// the same are listed once. Of very many, some are left out.
    fileprivate var rotations: [Self] {
        guard status == .cycle, let length = lengthOfCycle else { return [self] }
        let keys = steps[..<length].map(Key.init)
        let starts = (0..<length).filter { keys[$0].metadata == keys[0].metadata && steps[$0].node == steps[0].node }
        var known: Set<[Key]> = []
        let distinct = starts.filter { known.insert(Array(keys[$0...] + keys[..<$0])).inserted }
        return distinct.prefix(Self.mostRotations).map { rotated(to: $0, length: length) }
    }

    private static let mostRotations = 8

    /// What the report tells of a step.
    private struct Key: Hashable {
        let metadata: UInt
        let names: [HeapAnswer.Step.Name]
        let code: UInt

        init(_ step: HeapAnswer.Step) {
            (metadata, names, code) = (step.metadata, step.names, step.code)
        }
    }

    /// The number of steps if they are a whole cycle; without the first one if it is repeated at the end.
    private var lengthOfCycle: Int? {
        guard let cycle, cycle.lowerBound == 0, cycle.upperBound == steps.count - 1, steps.count > 2 else { return nil }
        return steps[0].address == steps[cycle.upperBound].address ? cycle.upperBound : steps.count
    }

    private func rotated(to start: Int, length: Int) -> Self {
        guard start > 0 else { return self }
        var finding = self
        finding.steps = Array(steps[start..<length] + steps[..<start])
        finding.cycle = 0...(length - 1)
        finding.address = steps[start].address
        return finding
    }
}
