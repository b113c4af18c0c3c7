/// The ranges of bytes that are available to the stored properties.
///
/// A property of size zero may lie at its own place or at offset 0 (lib/IRGen/StructLayout.cpp, addEmptyElement).
/// Therefore the next property in the declaration is not always the next one in memory.
struct FieldPlaces: Sequence {
    private let offsets: [Int]
    private let ordered: [Int]
    private let end: Int

    /// Takes the offsets of all properties, and the offset at which the last one ends.
    init(offsets: [Int], end: Int) {
        self.offsets = offsets
        ordered = Set(offsets).sorted()
        self.end = end
    }

    func makeIterator() -> AnyIterator<Range<Int>> {
        var index = 0
        return AnyIterator {
            guard index < offsets.count else { return nil }
            let start = offsets[index]
            index += 1
            return start..<Swift.max(start, next(after: start))
        }
    }

    private func next(after offset: Int) -> Int {
        var low = 0
        var high = ordered.count
        while low < high {
            let middle = (low + high) / 2
            if ordered[middle] <= offset { low = middle + 1 } else { high = middle }
        }
        return low < ordered.count ? ordered[low] : end
    }
}
