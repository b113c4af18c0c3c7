/// Heap blocks full of random words, pointers to each other, and words that look like object headers.
///
/// Searches must give right answers in spite of these blocks. The blocks are freed with the `RandomHeap`.
final class RandomHeap {
    private var blocks: [UnsafeMutablePointer<UInt>] = []

    /// Fills a number of blocks with the same words in every run.
    init(blocks count: Int) {
        var random = SplitMix(state: 2026)
        let metadata = Self.someMetadata
        blocks.reserveCapacity(count)
        for _ in 0..<count {
            let words = 2 + Int(random.next() % 30)
            let block = UnsafeMutablePointer<UInt>.allocate(capacity: words)
            for index in 0..<words {
                block[index] = UInt(Self.word(&random, metadata, blocks, isFirst: index == 0))
            }
            blocks.append(block)
        }
    }

    deinit {
        for block in blocks { block.deallocate() }
    }

    private static func word(
        _ random: inout SplitMix, _ metadata: [UInt], _ blocks: [UnsafeMutablePointer<UInt>], isFirst: Bool
    ) -> UInt64 {
        let choice = random.next() % 8
        // Every other block begins with metadata, like an object.
        if isFirst, choice < 4 { return UInt64(metadata[Int(random.next() % UInt64(metadata.count))]) }
        switch choice {
        case 0: return 0
        case 1: return random.next() % 4096
        case 2, 3: return UInt64(metadata[Int(random.next() % UInt64(metadata.count))]) &+ (random.next() % 3) &* 8
        case 4 where !blocks.isEmpty, 5 where !blocks.isEmpty:
            let other = blocks[Int(random.next() % UInt64(blocks.count))]
            return UInt64(UInt(bitPattern: other)) &+ (random.next() % 4) &* 8
        default: return random.next()
        }
    }

    /// The addresses of metadata of several kinds: classes, structs, enums, functions, metatypes, existentials.
    private static var someMetadata: [UInt] {
        let types: [Any.Type] = [
            RandomHeap.self, Int.self, String.self, [Int].self, [String: Any].self, Optional<RandomHeap>.self,
            (() -> Void).self, (Int, String).self, Any.self, AnyObject.self, RandomHeap.Type.self,
            KeyValuePairs<Int, Int>.self,
            (any Error).self, UnsafeRawPointer.self,
        ]
        let objects: [AnyObject] = [ManagedBuffer<Int, Int>.create(minimumCapacity: 1) { _ in 0 }]
        // A metatype is the address of the type's metadata; an object begins with such an address.
        return types.map { unsafeBitCast($0, to: UInt.self) }
            + objects.map { Unmanaged.passUnretained($0).toOpaque().load(as: UInt.self) }
    }
}

/// A SplitMix64 generator of pseudorandom numbers.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
