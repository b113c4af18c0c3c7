import TracerBase

#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// Searches that end without an answer, and the resources that they leave behind.
@Suite(.disabledUnderSanitizers, .serialized) struct EngineLimitTests {
    private let target = ~UInt64(0)

    @Test func exceededMemoryLimitIsReported() async throws {
        var options = RetainPaths.Options()
        options.memoryLimit = 300_000
        await #expect(throws: RetainPathsError.outOfMemory(limit: 300_000)) {
            try await Engine.findings([target], options: options)
        }
        options.memoryLimit = 256 << 20
        _ = try await Engine.findings([target], options: options)
    }

    @Test func exceededTimeoutIsReported() async throws {
        var options = RetainPaths.Options()
        options.timeout = .nanoseconds(1)
        let error = await #expect(throws: RetainPathsError.self) {
            try await Engine.findings([target], options: options)
        }
        // The error states the CPU time and the current step, and not the elapsed time.
        guard case .timedOut(_, let step) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(step.hasPrefix("while ") && step.contains("s of processor time, "), "\(step)")
        options.timeout = Engine.patient.timeout
        _ = try await Engine.findings([target], options: options)
    }

    @Test func aCancelledSearchEnds() async throws {
        for delay in [0, 1_000, 5_000, 20_000] {
            let search = Task { try await Engine.findings([target]) }
            usleep(useconds_t(delay))
            search.cancel()
            let result = await search.result
            if case .failure(let error) = result { #expect(error is CancellationError) }
        }
        // This task is cancelled before its search begins.
        let never = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await Engine.findings([target])
        }
        await #expect(throws: CancellationError.self) { try await never.value }
    }

    // The test runs in its own process, because other tests create child processes, too.
    @Test func abandonedSearchLeavesNoChildProcess() async {
        await #expect(processExitsWith: .success) {
            var options = RetainPaths.Options()
            options.timeout = .nanoseconds(1)
            let search = Task { try? await Engine.findings([~UInt64(0)], options: options) }
            let answer = await search.value
            demand(answer == nil)
            for delay in [1_000, 3_000, 9_000] {
                let search = Task { try await Engine.findings([~UInt64(0)]) }
                usleep(useconds_t(delay))
                search.cancel()
                _ = await search.result
            }
            demand(!Engine.hasSilentChild(), "a child was left")
        }
    }

    @Test func concurrentSearchesGiveRightFindings() async throws {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let name = "many \(number)"
                    let target = Engine.inverted(Engine.plant(name))
                    let finding = try await Engine.findings([target]).first
                    Engine.uproot(name)
                    return finding?.status == .reachable && finding?.found == 1
                }
            }
            for try await isRight in group { #expect(isRight) }
        }
    }

    @Test(.timeLimit(.minutes(20))) func repeatedSearchesLeakNoProcessResources() async {
        await #expect(processExitsWith: .success) {
            func once() async throws {
                _ = try await Engine.findings([~UInt64(0)])
            }
            // The first searches read symbols and compile layouts.
            for _ in 0..<3 { try await once() }
            let handlers = Self.handlers()
            let descriptors = Engine.descriptorCount()
            let mappings = Self.mappingCount()
            for _ in 0..<250 { try await once() }
            demand(Engine.descriptorCount() == descriptors, "descriptors: \(Engine.descriptorCount())")
            demand(!Engine.hasSilentChild(), "a child was left")
            demand(Self.handlers() == handlers, "a signal handler was left")
            // The number of mappings varies, because the stacks of threads come and go.
            demand(Self.mappingCount() < mappings + 40, "mappings: \(mappings), then \(Self.mappingCount())")
        }
    }

    /// The handlers of all signals.
    private static func handlers() -> [UInt] {
        (1..<65).map { signal in
            var action = sigaction()
            guard sigaction(CInt(signal), nil, &action) == 0 else { return 0 }
            return withUnsafeBytes(of: action) { $0.loadUnaligned(as: UInt.self) }
        }
    }

    private static func mappingCount() -> Int {
        (try? OpenFile("/proc/self/maps").bytes(atMost: 1 << 20))?.count { $0 == 0x0A } ?? -1
    }
}
#endif
