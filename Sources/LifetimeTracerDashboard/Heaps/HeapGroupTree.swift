import RetainPaths

/// The groups of retained sizes, by the group above them.
struct HeapGroupTree: Sendable {
    private let retained: HeapGraph.RetainedSizes
    /// The positions of the groups below each group, the largest first; under `nil`, those at the top.
    private let below: [Int?: [Int]]

    init(_ retained: HeapGraph.RetainedSizes) {
        self.retained = retained
        let groups = retained.groups
        below = Dictionary(grouping: groups.indices) { groups[$0].parent }.mapValues { positions in
            positions.sorted {
                (groups[$1].retained, groups[$0].name, $0) < (groups[$0].retained, groups[$1].name, $1)
            }
        }
    }

    /// The groups down to a number of levels below a group, the largest first; a group comes after the group above it.
    func groups(under position: Int?, levels: Int) -> [HeapGroupEntry] {
        var found: [HeapGroupEntry] = []
        var parents = [position]
        for level in 1...levels {
            let positions = parents.flatMap { below[$0] ?? [] }
            found += positions.map { entry($0, level: level) }
            parents = positions
        }
        return found.sorted {
            ($1.group.retained, $0.level, $0.group.name, $0.number)
                < ($0.group.retained, $1.level, $1.group.name, $1.number)
        }
    }

    /// The group at a position and those above it, from the top on.
    func path(to position: Int?) -> [HeapGroupEntry] {
        var path: [HeapGroupEntry] = []
        var current = position
        while let position = current {
            path.insert(entry(position, level: 0), at: 0)
            current = retained.groups[position].parent
        }
        return path
    }

    /// The bytes below a group that belong to groups that are not listed.
    func unlisted(below position: Int?) -> Int {
        let listed = (below[position] ?? []).reduce(0) { $0 + retained.groups[$1].retained }
        let whole = position.map { retained.groups[$0].retained - retained.groups[$0].bytes } ?? retained.bytes
        return max(0, whole - listed)
    }

    private func entry(_ position: Int, level: Int) -> HeapGroupEntry {
        let group = retained.groups[position]
        return HeapGroupEntry(
            number: position + 1, parent: group.parent.map { $0 + 1 }, level: level, group: group,
            groups: below[position]?.count ?? 0, unlisted: unlisted(below: position))
    }
}
