extension HeapGraph {
    /// The types of a capture's lines, as far as they have one.
    ///
    /// A capture keeps no blocks, only these keys. A later search finds the blocks that belong to the lines by then.
    package struct LineKeys: Sendable {
        private let keys: [Line: [LineKey]]

        init(_ keys: [Line: [LineKey]]) { self.keys = keys }

        /// Creates an empty table, for a capture that was not made in a copy of the process.
        package init() { keys = [:] }

        /// The keys of a line of the capture; none if the line's blocks have no type.
        func keys(of line: Line) -> [LineKey] { keys[line.withoutCounts] ?? [] }

        /// The number of keys, which determines the size of the table.
        package var count: Int { keys.values.reduce(0) { $0 + $1.count } }
    }

    /// Whether ``paths(to:kind:sample:options:progress:)`` can search for the blocks of a line.
    ///
    /// It cannot search for blocks without a type, such as `C and unknown` and free memory.
    public func hasPaths(_ line: Line) -> Bool { !keys.keys(of: line).isEmpty }

    /// The lines with a name or type, exactly as the capture states them, whose blocks can be searched for.
    ///
    /// Several lines can have the same name: types of two modules, or a box of a type and the instances of that type.
    ///
    /// - Parameter kind: The kind of the lines; `nil` for any.
    package func lines(named name: String, kind: Line.Kind? = nil) -> [Line] {
        guard !name.isEmpty else { return [] }
        return lines.filter { line in
            (line.name == name || line.type == name) && (kind == nil || line.kind == kind) && hasPaths(line)
        }
    }
}

extension HeapGraph.Line {
    /// The properties that the same line has in every capture.
    package var withoutCounts: Self {
        Self(kind: kind, name: name, type: type, isOfProgram: isOfProgram)
    }
}
