/// Bytes that are written one after the other.
///
/// The memory belongs to the buffer alone. An array would check its owner and its room at each byte, which takes most
/// of the time of writing a list.
@usableFromInline
package struct ByteBuffer: ~Copyable {
    // Has room for `capacity` bytes, the first `count` of which are initialised; freed in `deinit`, unless it is an
    // array's.
    @usableFromInline var memory: UnsafeMutablePointer<UInt8>
    @usableFromInline var capacity: Int
    /// The number of bytes written so far.
    @usableFromInline package internal(set) var count = 0

    @usableFromInline var isOwn: Bool

    /// Creates an empty buffer.
    @inlinable
    package init(reservingCapacity capacity: Int) {
        self.capacity = max(64, capacity)
        memory = .allocate(capacity: self.capacity)
        isOwn = true
    }

    /// Creates an empty buffer in memory of the caller, who keeps it until the buffer is gone.
    @inlinable
    init(in memory: UnsafeMutablePointer<UInt8>, capacity: Int) {
        self.memory = memory
        self.capacity = capacity
        isOwn = false
    }

    /// Returns the bytes that `write` writes, in the memory of the array if there is room for them.
    @inlinable
    package static func array(
        reservingCapacity capacity: Int, _ write: (consuming ByteBuffer) -> ByteBuffer
    ) -> [UInt8] {
        var larger: [UInt8]?
        let array = [UInt8](unsafeUninitializedCapacity: capacity) { room, count in
            guard let start = room.baseAddress else { return }
            // Safe: the buffer does not outlive this closure, during which the memory is the array's alone.
            let buffer = write(ByteBuffer(in: start, capacity: room.count))
            if buffer.isOwn { larger = buffer.bytes } else { count = buffer.count }
        }
        return larger ?? array
    }

    @inlinable
    deinit {
        if isOwn { memory.deallocate() }
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

    /// Appends some of the bytes that have been written once more.
    package mutating func appendAgain(_ range: Range<Int>) {
        reserve(range.count)
        (memory + count).initialize(from: memory + range.lowerBound, count: range.count)
        count += range.count
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
        if isOwn { memory.deallocate() }
        memory = larger
        isOwn = true
    }
}
