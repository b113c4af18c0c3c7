extension LifetimeRegistry {
    /// Sets a mark.
    ///
    /// - Parameter name: 1 to 100 Unicode code points without control characters. `now` is reserved, and `.` and `..`
    ///   are invalid because a URL path cannot name them.
    /// - Throws: ``TracerError`` if the name is invalid or in use, or the registry has too many marks.
    @discardableResult
    public func setMark(_ name: String) throws(TracerError) -> Mark {
        guard (1...Self.longestMarkName).contains(name.unicodeScalars.count),
            ![Self.nowName, ".", ".."].contains(name),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else {
            throw TracerError(
                .invalidMarkName, "\"\(name.prefix(120))\" is not a valid name for a mark.",
                hint: "Use 1 to 100 characters without control characters; \"now\", \".\" and \"..\" are reserved.")
        }
        let mark = Mark(name: name, counters: store.counters())
        try marks.withLock { marks throws(TracerError) in try marks.add(mark) }
        return mark
    }

    /// Removes a mark.
    ///
    /// - Throws: ``TracerError`` if no mark has the name.
    public func removeMark(_ name: String) throws(TracerError) {
        try marks.withLock { marks throws(TracerError) in try marks.remove(name) }
    }

    /// Returns the marks, oldest first.
    public func allMarks() -> [Mark] {
        marks.withLock { $0.marks }
    }

    /// Returns the mark with a name.
    ///
    /// - Throws: ``TracerError`` if no mark has the name.
    public func mark(named name: String) throws(TracerError) -> Mark {
        try marks.withLock { marks throws(TracerError) in
            guard let mark = marks[name] else { throw .unknownMark(name, marks.marks) }
            return mark
        }
    }

    /// The longest name of a mark, in Unicode code points.
    package static let longestMarkName = 100

    /// The name that stands for the present in a diff.
    package static let nowName = "now"
}
