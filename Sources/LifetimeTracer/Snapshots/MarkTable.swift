/// A named point in time for comparisons: "before opening the screen".
public struct Mark: Sendable {
    /// The mark's name.
    public let name: String
    /// When the mark was set.
    public let at: MonotonicTime
    /// The number of live instances at the mark.
    public let live: UInt64
    /// The number of births before the mark.
    public let born: UInt64
    /// The number of deaths before the mark.
    public let died: UInt64

    let counters: InstanceStore.Counters

    /// The last id that had been assigned at the mark.
    package var lastID: InstanceID { counters.lastID }

    init(name: String, counters: InstanceStore.Counters) {
        self.name = name
        at = counters.at
        live = counters.live
        born = counters.born
        died = counters.died
        self.counters = counters
    }
}

/// The marks of a registry.
///
/// Has no lock of its own: state inside a lock of ``LifetimeRegistry``.
struct MarkTable: LockedState {
    let limit: Int
    private(set) var marks: [Mark] = []

    init(limit: Int) {
        self.limit = limit
    }

    subscript(name: String) -> Mark? {
        marks.first { $0.name == name }
    }

    mutating func add(_ mark: Mark) throws(TracerError) {
        guard self[mark.name] == nil else {
            throw TracerError(
                .duplicateMark, "There is a mark \"\(mark.name)\" already.",
                hint: "Drop it first, or choose another name.")
        }
        guard marks.count < limit else {
            throw TracerError(
                .markTableFull, "There are \(limit) marks already, so \"\(mark.name)\" cannot be set.",
                hint: "Drop one that is no longer needed.")
        }
        marks.append(mark)
    }

    mutating func remove(_ name: String) throws(TracerError) {
        guard let position = marks.firstIndex(where: { $0.name == name }) else { throw .unknownMark(name, marks) }
        marks.remove(at: position)
    }
}

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
                .invalidMarkName, "A mark cannot be named \"\(name.prefix(120))\".",
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

extension TracerError {
    fileprivate static func unknownMark(_ name: String, _ marks: [Mark]) -> Self {
        let known = marks.isEmpty ? "There are none." : "There are: \(marks.map(\.name).joined(separator: ", "))."
        return Self(
            .unknownMark, "There is no mark \"\(name.prefix(120))\".",
            hint: known)
    }
}
