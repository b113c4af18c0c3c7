/// The contents of parts that lie one behind the other, each aligned.
struct SequentialContents {
    private(set) var contents = FieldContents()
    /// The offset behind the last part.
    private(set) var end: Int

    /// - Parameter start: The offset of the first part, if it is aligned there.
    init(from start: Int = 0) {
        end = start
        contents.size = start
    }

    /// Adds a part; `false` if its size is not known.
    mutating func add(_ part: FieldContents, name: String) -> Bool {
        guard let size = part.size else { return false }
        let offset = (end + part.alignment - 1) / part.alignment * part.alignment
        contents.slots += part.slots.map { $0.moved(by: offset, into: name) }
        contents.isPartlyConservative = contents.isPartlyConservative || part.isPartlyConservative
        contents.alignment = max(contents.alignment, part.alignment)
        end = offset + size
        contents.size = end
        return true
    }
}
