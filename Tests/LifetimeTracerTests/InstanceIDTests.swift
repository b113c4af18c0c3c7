import Testing

@testable import LifetimeTracer

@Suite struct InstanceIDTests {
    // Ids are successive, or have regular gaps where each thread takes a block of them. Random numbers would fill 3,742
    // of the buckets.
    @Test(arguments: [1, 2, 3, 64, 1024, 4096], [0, 1, 0x1234_5678_9ABC_DEF0])
    func idsWithRegularGapsHaveDifferentHashValues(gap: UInt64, seed: Int) {
        let buckets = 8192
        let filled = Set(
            (1...5000).map { InstanceID(rawValue: $0 * gap)._rawHashValue(seed: seed) & (buckets - 1) })
        #expect(filled.count > 3500)
    }

    @Test func equalNumbersHaveEqualHashValues() {
        let (one, other) = (InstanceID(rawValue: 7, place: 16), InstanceID(rawValue: 7))
        #expect(one == other && one._rawHashValue(seed: 3) == other._rawHashValue(seed: 3))
        #expect(Set([one, other, InstanceID(rawValue: 8)]).count == 2)
    }
}
