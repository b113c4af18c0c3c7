/// The memory that the program has freed, allocated again, so that new objects lie elsewhere.
///
/// A stale word in memory without a layout can refer to the address of an object that was freed, and thus to each later
/// object at that address. The blocks therefore contain zeros, because what was left in them would be such words. They
/// are freed with the `FreedMemory`, and never read.
final class FreedMemory {
    private var blocks: [UnsafeMutableRawPointer] = []

    /// Allocates many more blocks of each small size than a shape frees.
    init() {
        let sizes = stride(from: 24, through: 1016, by: 16)
        let blocksOfSize = 200
        blocks.reserveCapacity(sizes.underestimatedCount * blocksOfSize)
        for size in sizes {
            for _ in 0..<blocksOfSize {
                let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
                block.initializeMemory(as: UInt8.self, repeating: 0, count: size)
                blocks.append(block)
            }
        }
    }

    deinit {
        for block in blocks { block.deallocate() }
    }
}
