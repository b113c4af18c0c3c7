import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The resources of the process over time, and what they say beside the live instances.
@Suite struct ProcessHistoryTests {
    private static let fewest = MemoryFinding.fewestSamples

    /// Samples five seconds apart, with the given megabytes and live instances at each position.
    private func samples(
        _ count: Int = fewest, megabytes: (Int) -> Double, live: (Int) -> Int = { _ in 100 }
    ) -> [ProcessSample] {
        (0..<count).map { position in
            let usage = ProcessUsage(residentBytes: 0, heapBytes: megabytes(position) * 1_000_000)
            let at = MonotonicTime(nanoseconds: UInt64(position) * 5_000_000_000)
            return ProcessSample(at: at, live: live(position), usage: usage)
        }
    }

    @Test func memoryThatRisesWithoutInstancesIsAFinding() throws {
        let finding = try #require(MemoryFinding(in: samples { 20 + Double($0) / 2 }))
        #expect(finding.bytesBefore == 23_000_000 && finding.bytesNow == 35_000_000)
        #expect(finding.liveBefore == 100 && finding.liveNow == 100)
        #expect(finding.period == .seconds(5 * (Self.fewest - 1)))
    }

    @Test func otherCoursesOfMemoryAreNoFinding() {
        let half = Self.fewest / 2
        #expect(MemoryFinding(in: samples(Self.fewest - 1) { 20 + Double($0) }) == nil, "too few samples")
        #expect(MemoryFinding(in: samples { _ in 20 }) == nil, "constant")
        #expect(MemoryFinding(in: samples { 20 + Double($0) / 100 }) == nil, "hardly a rise")
        #expect(MemoryFinding(in: samples { 60 - Double($0) }) == nil, "a fall")
        #expect(MemoryFinding(in: samples { $0 < half / 2 ? 20 : 40 }) == nil, "caches filled at the start")
        #expect(MemoryFinding(in: samples { $0 % 2 == 0 ? 20 : 60 }) == nil, "a sawtooth")
        let both = samples(megabytes: { 20 + Double($0) }, live: { 100 + $0 * 10 })
        #expect(MemoryFinding(in: both) == nil, "the instances rise as well")
    }

    @Test func unknownMemoryIsNoFinding() {
        let unknown = (0..<Self.fewest).map {
            ProcessSample(at: MonotonicTime(nanoseconds: UInt64($0)), live: 1, usage: ProcessUsage())
        }
        #expect(MemoryFinding(in: unknown) == nil)
    }

    @Test func sampleIsTakenEveryFiveSecondsAndKeptForAnHour() throws {
        let bench = Bench()
        for _ in 0..<20 { bench.pass(.seconds(1)) }
        let recent = try bench.json("/api/v1/process?since=12")
        #expect(recent["stepSeconds"].int == 5 && recent["openFilesLimit"].int == 1024)
        #expect(recent["samples"].array.count == 3)
        let last = try #require(recent["samples"].array.last)
        #expect(last["residentBytes"].int == 45_678_592 && last["heapBytes"].isNull)
        #expect(last["threads"].int == 9 && last["openFiles"].int == 23 && last["cpuSeconds"].double == 12.346)
        for _ in 0..<ProcessHistory.length { bench.pass(.seconds(5)) }
        #expect(try bench.json("/api/v1/process?since=3600")["samples"].array.count == ProcessHistory.length)
    }

    @Test func usageOfThisProcessHasTheHeap() throws {
        let usage = ProcessUsage.current()
        #if os(Linux)
        #expect(try #require(usage.residentBytes) > 0)
        #endif
        // A sanitizer replaces the allocator of the C library.
        let isSanitized = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil
        #if canImport(Glibc)
        #expect(usage.heapBytes != nil || isSanitized)
        #endif
    }
}
