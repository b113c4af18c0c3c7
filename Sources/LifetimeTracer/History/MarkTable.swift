/// A named point in time for comparisons: "before opening the screen".
public struct Mark: Sendable {
    /// The mark's name.
    public let name: String
    /// When the mark was set.
    public let at: MonotonicTime
    /// The number of live instances at the mark.
    public let live: Int
    /// The number of births before the mark.
    public let born: Int
    /// The number of deaths before the mark.
    public let died: Int

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
                .duplicateMark, "A mark named \"\(mark.name)\" already exists.",
                hint: "Drop that mark first, or choose another name.")
        }
        guard marks.count < limit else {
            throw TracerError(
                .markTableFull, "The mark \"\(mark.name)\" cannot be set: the limit of \(limit) marks is reached.",
                hint: "Drop a mark that is no longer needed.")
        }
        marks.append(mark)
    }

    mutating func remove(_ name: String) throws(TracerError) {
        guard let position = marks.firstIndex(where: { $0.name == name }) else { throw .unknownMark(name, marks) }
        marks.remove(at: position)
    }
}

extension TracerError {
    static func unknownMark(_ name: String, _ marks: [Mark]) -> Self {
        let known = marks.isEmpty ? "No marks exist." : "Existing marks: \(marks.map(\.name).joined(separator: ", "))."
        return Self(
            .unknownMark, "No mark is named \"\(name.prefix(120))\".",
            hint: known)
    }
}
