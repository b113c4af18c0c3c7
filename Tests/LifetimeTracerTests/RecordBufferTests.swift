import Testing
import TracerBase

@testable import LifetimeTracer

/// The memory in which lists keep their records.
@Suite struct RecordBufferTests {
    @Test func smallestSufficientBufferIsTakenAgain() {
        var kept = KeptRecordBuffers()
        let (small, large) = (RecordBuffer.make(capacity: 100), RecordBuffer.make(capacity: 1000))
        defer {
            small.free()
            large.free()
        }
        #expect(kept.add(large)?.records == nil)
        #expect(kept.add(small)?.records == nil)
        #expect(kept.take(capacity: 1001)?.records == nil)
        #expect(kept.take(capacity: 100)?.records.baseAddress == small.records.baseAddress)
        #expect(kept.take(capacity: 100)?.records.baseAddress == large.records.baseAddress)
        #expect(kept.take(capacity: 1)?.records == nil)
    }

    @Test func smallestOfThreeBuffersIsNotKept() {
        var kept = KeptRecordBuffers()
        let buffers = [10, 5, 20].map { RecordBuffer.make(capacity: $0) }
        defer { for buffer in buffers { buffer.free() } }
        #expect(buffers.map { kept.add($0)?.records.baseAddress } == [nil, nil, buffers[1].records.baseAddress])
    }

    @Test(arguments: [(1, true), (1 << 16, true), (1 << 17, false), (1 << 18, true), (1 << 22, true), (1 << 23, false)])
    func memoryOfMoreThanAMegabyteIsKeptOnlyIfTheSystemCanTakeItBack(capacity: Int, isKept: Bool) {
        let buffer = RecordBuffer.make(capacity: capacity)
        defer { buffer.free() }
        #expect(buffer.prepareForKeeping() == isKept)
    }

    @Test func systemMayTakeKeptMemoryBack() throws {
        let buffer = RecordBuffer.make(capacity: 1 << 18)
        defer { buffer.free() }
        let bytes = UnsafeMutableRawBufferPointer(buffer.records)
        bytes.initializeMemory(as: UInt8.self, repeating: 1)
        #expect(buffer.prepareForKeeping())
        let start = try #require(bytes.baseAddress)
        #expect(try lazilyFreedBytes(around: UInt(bitPattern: start)) >= bytes.count)
    }

    /// The bytes that the system may take back, of the mapping with an address.
    private func lazilyFreedBytes(around address: UInt) throws -> Int {
        var isInside = false
        let text = String(decoding: try OpenFile("/proc/self/smaps").bytes(atMost: 16 << 20), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            let ends = words[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            if ends.count == 2 { isInside = ends[0] <= address && address < ends[1] }
            if isInside, words[0] == "LazyFree:" { return try #require(Int(words[1])) * 1024 }
        }
        return 0
    }
}
