/// A named point in time, to compare another with: "before opening the screen".
public struct Mark: Sendable {
    /// Its name.
    public let name: String
    /// When it was set.
    public let at: MonotonicTime
    /// Live instances then.
    public let live: UInt64
    /// Births until then.
    public let born: UInt64
    /// Deaths until then.
    public let died: UInt64

    let counters: InstanceStore.Counters

    /// The last id that had been given out by then.
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
/// Not locked: state inside a lock of ``LifetimeRegistry``.
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
    /// - Parameter name: 1 to 100 Unicode code points without control characters; `now` is reserved, and so are `.` and
    ///   `..`, which no address can name.
    /// - Throws: ``TracerError`` for a name that cannot be used or exists already, or when there are too many marks.
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

    /// Drops a mark.
    ///
    /// - Throws: ``TracerError`` when there is none of that name.
    public func removeMark(_ name: String) throws(TracerError) {
        try marks.withLock { marks throws(TracerError) in try marks.remove(name) }
    }

    /// The marks, oldest first.
    public func allMarks() -> [Mark] {
        marks.withLock { $0.marks }
    }

    /// The mark of that name.
    ///
    /// - Throws: ``TracerError`` when there is none.
    public func mark(named name: String) throws(TracerError) -> Mark {
        try marks.withLock { marks throws(TracerError) in
            guard let mark = marks[name] else { throw .unknownMark(name, marks.marks) }
            return mark
        }
    }

    /// The most Unicode code points of the name of a mark.
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
