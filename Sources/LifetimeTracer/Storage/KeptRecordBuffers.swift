/// The memory of ended lists of records, for later ones.
struct KeptRecordBuffers: LockedState {
    /// The most buffers: one of a list's records and one of its sorted records.
    static let limit = 2

    private var buffers: [RecordBuffer] = []

    /// Removes the smallest buffer that is large enough, and returns it; `nil` if there is none.
    mutating func take(capacity: Int) -> RecordBuffer? {
        let smallest = buffers.indices.filter { buffers[$0].records.count >= capacity }.min(by: isSmaller)
        return smallest.map { buffers.remove(at: $0) }
    }

    /// Adds a buffer.
    ///
    /// - Returns: The smallest buffer, no longer kept, if there are too many.
    mutating func add(_ buffer: RecordBuffer) -> RecordBuffer? {
        buffers.append(buffer)
        guard buffers.count > Self.limit else { return nil }
        return buffers.indices.min(by: isSmaller).map { buffers.remove(at: $0) }
    }

    private func isSmaller(_ left: Int, _ right: Int) -> Bool {
        buffers[left].records.count < buffers[right].records.count
    }
}
