/// Bytes that are written one after the other.
///
/// The memory belongs to the buffer alone. An array would check its owner and its room at each byte, which takes most
/// of the time of writing a list.
@usableFromInline
package struct ByteBuffer: ~Copyable {
    // Has room for `capacity` bytes, the first `count` of which are initialised; freed in `deinit`.
    @usableFromInline var memory: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    @usableFromInline var count = 0

    /// Creates an empty buffer.
    @inlinable
    package init(reservingCapacity capacity: Int) {
        self.capacity = max(64, capacity)
        memory = .allocate(capacity: self.capacity)
    }

    @inlinable
    deinit {
        memory.deallocate()
    }

    /// The bytes written so far.
    @inlinable package var bytes: [UInt8] { Array(UnsafeBufferPointer(start: memory, count: count)) }

    /// Appends a byte.
    @inlinable
    package mutating func append(_ byte: UInt8) {
        reserve(1)
        memory[count] = byte
        count += 1
    }

    /// Appends bytes.
    @inlinable
    package mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard let start = bytes.baseAddress else { return }
        reserve(bytes.count)
        (memory + count).initialize(from: start, count: bytes.count)
        count += bytes.count
    }

    /// Appends a text in UTF-8.
    @inlinable
    package mutating func append(_ text: String) {
        if text.utf8.withContiguousStorageIfAvailable({ append($0) }) != nil { return }
        for byte in text.utf8 { append(byte) }
    }

    /// Appends bytes that `fill` writes.
    ///
    /// - Parameters:
    ///   - limit: The most bytes.
    ///   - fill: Writes the bytes and returns their number.
    @inlinable
    package mutating func append(atMost limit: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Int) {
        reserve(limit)
        count += fill(memory + count)
    }

    @inlinable
    mutating func reserve(_ more: Int) {
        if capacity - count < more { grow(by: more) }
    }

    @usableFromInline
    mutating func grow(by more: Int) {
        capacity = max(2 * capacity, count + more)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.moveInitialize(from: memory, count: count)
        memory.deallocate()
        memory = larger
    }
}
