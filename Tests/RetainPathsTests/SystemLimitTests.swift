import Foundation
import Testing

/// A program with scarce system resources keeps running during searches.
///
/// Each answer is right or names the scarce resource.
@Suite(.disabledUnderSanitizers, .serialized, .timeLimit(.minutes(20))) struct SystemLimitTests {
    /// The output of a run of `retain-limits`.
    private struct Answers {
        let lines: [String]
        let outcome: ShapesProgram.Outcome

        var right: Int { lines.count { $0 == "right" } }
        var refused: [String] { lines.filter { $0.hasPrefix("refused: ") } }
        /// The answers after the resource became available again.
        var afterwards: ArraySlice<String> { lines.drop { $0 != "afterwards" }.dropFirst() }
    }

    /// Runs the program and checks the general requirements: it ended normally, no answer was wrong, and nothing was
    /// left behind.
    private func ask(
        _ arguments: String, environment: [String: String] = [:], at location: SourceLocation = #_sourceLocation
    ) async throws -> Answers {
        let outcome = try await ShapesProgram.run(
            arguments.split(separator: " ").map(String.init), of: "retain-limits", environment: environment)
        #expect(outcome.status == 0, "\(arguments): \(outcome)", sourceLocation: location)
        #expect(outcome.lines.last == "alive", "\(arguments): \(outcome)", sourceLocation: location)
        #expect(outcome.lines.contains("nothing left"), "\(arguments): \(outcome)", sourceLocation: location)
        #expect(!outcome.lines.contains { $0.hasPrefix("wrong") }, "\(arguments): \(outcome)", sourceLocation: location)
        return Answers(lines: outcome.lines, outcome: outcome)
    }

    // MARK: Memory

    /// The program starts with each of these limits.
    ///
    /// A search that does not fit is refused.
    @Test(arguments: [64, 100, 150, 200, 300, 500, 1_000])
    func searchUnderAddressSpaceLimitIsRightOrRefused(megabytes: Int) async throws {
        let answers = try await ask("as=\(megabytes)")
        #expect(answers.right + answers.refused.count == 5, "\(answers.outcome)")
        #expect(answers.refused.allSatisfy { $0.contains("ulimit -v") && $0.contains("\(megabytes) MB") })
        if megabytes >= 300 { #expect(answers.refused.isEmpty, "\(answers.outcome)") }
    }

    @Test(arguments: [32, 64, 200]) func searchUnderDataLimitIsRightOrRefused(megabytes: Int) async throws {
        let answers = try await ask("data=\(megabytes)")
        #expect(answers.right + answers.refused.count == 5, "\(answers.outcome)")
        #expect(answers.refused.allSatisfy { $0.contains("ulimit -d") })
        if megabytes >= 200 { #expect(answers.refused.isEmpty, "\(answers.outcome)") }
    }

    @Test(arguments: [128, 512]) func searchWithSmallStacksIsRight(kilobytes: Int) async throws {
        let answers = try await ask("stack=\(kilobytes)")
        #expect(answers.right == 5, "\(answers.outcome)")
    }

    /// Memory runs out, and becomes available again.
    @Test(arguments: [1, 7, 9, 20, 60, 90]) func searchIsRefusedUntilMemoryIsAvailableAgain(leaving megabytes: Int)
        async throws
    {
        let answers = try await ask("as=500 --leave-memory \(megabytes)")
        #expect(answers.refused.count == 1 && answers.refused[0].contains("ulimit -v"), "\(answers.outcome)")
        #expect(answers.afterwards.count { $0 == "right" } == 5, "\(answers.outcome)")
    }

    @Test func searchDuringMemoryExhaustionIsRightOrRefused() async throws {
        let answers = try await ask("as=300 --squeeze")
        #expect(answers.right + answers.refused.count == 34, "\(answers.outcome)")
        #expect(answers.refused.allSatisfy { $0.contains("ulimit -v") }, "\(answers.outcome)")
    }

    // MARK: malloc

    @Test(arguments: [
        "MALLOC_ARENA_MAX=1", "MALLOC_ARENA_MAX=2", "GLIBC_TUNABLES=glibc.malloc.tcache_max=24",
        // malloc fills memory when it is allocated and freed.
        "GLIBC_TUNABLES=glibc.malloc.perturb=165", "GLIBC_TUNABLES=glibc.malloc.mxfast=0",
        // malloc maps blocks above some sizes one by one.
        "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=128",
        "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=256", "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=1000",
        "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=4096", "GLIBC_TUNABLES=glibc.malloc.hugetlb=1",
    ])
    func searchIsRightWithOtherMallocSettings(setting: String) async throws {
        let parts = setting.split(separator: "=", maxSplits: 1).map(String.init)
        let answers = try await ask("", environment: [parts[0]: parts[1]])
        #expect(answers.right == 5, "\(setting): \(answers.outcome)")
        let limited = try await ask("as=300", environment: [parts[0]: parts[1]])
        #expect(limited.right + limited.refused.count == 5, "\(setting): \(limited.outcome)")
    }

    /// Without thread caches, malloc reuses freed memory at once, also the memory that the self-check looks for.
    @Test(arguments: [
        "tcache_count=0", "tcache_count=0:glibc.malloc.perturb=165", "tcache_count=0:glibc.malloc.mxfast=0",
    ])
    func searchIsRightWithoutMallocThreadCaches(setting: String) async throws {
        let answers = try await ask("", environment: ["GLIBC_TUNABLES": "glibc.malloc.\(setting)"])
        #expect(answers.right == 5, "\(setting): \(answers.outcome)")
    }

    /// In this mode, malloc has no heap and is slow.
    @Test func searchIsRightIfMallocMapsEveryBlock() async throws {
        let outcome = try await ShapesProgram.run(
            ["--once"], of: "retain-limits", environment: ["GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=16"])
        #expect(outcome.lines == ["right", "alive"], "\(outcome)")
    }

    /// Planted leaks of all kinds are found if malloc maps blocks one by one, and if it caches no blocks.
    @Test(arguments: ["mmap_threshold=128", "tcache_count=0:glibc.malloc.perturb=165"])
    func plantedLeaksAreFoundWithOtherMallocSettings(setting: String) async throws {
        let outcome = try await ShapesProgram.run(
            ["--every", "5", "--retries", "4"], environment: ["GLIBC_TUNABLES": "glibc.malloc.\(setting)"])
        #expect(outcome.wrong == 0 && outcome.right >= 35, "\(setting): \(outcome)")
    }

    // MARK: Threads, processes, descriptors

    @Test(arguments: [0, 1, 2]) func searchIsRefusedWithoutEnoughThreads(leaving number: Int) async throws {
        let answers = try await ask("--leave-threads \(number)")
        // A search needs a thread and a copy of the process. Unless the test runs as root, all processes of the user
        // count towards the limit.
        let isEnough = number >= 2 && getuid() == 0
        #expect(answers.refused.count == (isEnough ? 0 : 1), "\(answers.outcome)")
        #expect(answers.refused.allSatisfy { $0.contains("ulimit -u") }, "\(answers.outcome)")
        #expect(answers.afterwards.count { $0 == "right" } == 5, "\(answers.outcome)")
    }

    @Test(arguments: [0, 1, 2, 4]) func searchIsRefusedWithoutEnoughDescriptors(leaving number: Int) async throws {
        let answers = try await ask("nofile=64 --leave-descriptors \(number)")
        #expect(answers.refused.count == (number < 2 ? 1 : 0), "\(answers.outcome)")
        #expect(answers.refused.allSatisfy { $0.contains("ulimit -n") && $0.contains("64") }, "\(answers.outcome)")
        #expect(answers.afterwards.count { $0 == "right" } == 5, "\(answers.outcome)")
    }

    // MARK: Captures of the heap

    @Test(arguments: [
        "", "as=100", "as=150", "as=200", "as=300", "as=500", "as=1000", "data=32", "data=64", "data=200", "data=400",
        "stack=256",
        "as=500 --leave-memory 1", "as=500 --leave-memory 9", "as=500 --leave-memory 20", "as=500 --leave-memory 60",
        "--leave-threads 0", "--leave-threads 1", "nofile=64 --leave-descriptors 0",
        "nofile=64 --leave-descriptors 1", "nofile=64 --leave-descriptors 4",
    ])
    func captureUnderLimitsIsRightOrRefused(limits: String) async throws {
        let answers = try await ask("--heap \(limits)")
        #expect(answers.right + answers.refused.count == (answers.afterwards.isEmpty ? 5 : 6), "\(answers.outcome)")
        #expect(answers.refused.allSatisfy { $0.contains("ulimit -") }, "\(answers.outcome)")
        // The stack of each thread counts as data, and the number of threads varies. With 200 MB, too little was once
        // left for the thread of a capture.
        if ["", "as=1000", "data=400", "stack=256"].contains(limits) {
            #expect(answers.right == 5, "\(answers.outcome)")
        }
        if !answers.afterwards.isEmpty {
            #expect(answers.afterwards.count { $0 == "right" } == 5, "\(answers.outcome)")
        }
    }

    @Test func captureDuringMemoryExhaustionIsRightOrRefused() async throws {
        let answers = try await ask("--heap as=300 --squeeze")
        #expect(answers.right + answers.refused.count == 34, "\(answers.outcome)")
        #expect(answers.refused.allSatisfy { $0.contains("ulimit -v") }, "\(answers.outcome)")
    }

    // MARK: The same by HTTP

    @Test(arguments: [
        "", "as=150", "as=175", "as=200", "as=225", "as=250", "as=300", "as=500", "as=1000 --leave-memory 1",
        "as=1000 --leave-memory 20", "data=64",
        "stack=256", "nofile=8", "nofile=12", "nofile=64 --leave-descriptors 0", "nofile=64 --leave-descriptors 2",
        "nofile=64 --leave-descriptors 4", "--leave-threads 0", "--leave-threads 1", "--leave-threads 2",
        "--leave-threads 3",
    ])
    func searchByHTTPUnderLimitsIsRightOrRefused(limits: String) async throws {
        let answers = try await ask("--server \(limits)")
        #expect(answers.right + answers.refused.count == (answers.afterwards.isEmpty ? 5 : 6), "\(answers.outcome)")
        #expect(answers.refused.allSatisfy { $0.contains("ulimit -") }, "\(answers.outcome)")
        if limits.isEmpty { #expect(answers.right == 5, "\(answers.outcome)") }
        if limits.hasSuffix("--leave-memory 1") {
            #expect(answers.refused.allSatisfy { $0.contains(#""code":"memoryShortage""#) }, "\(answers.outcome)")
        }
        if !answers.afterwards.isEmpty {
            #expect(answers.afterwards.count { $0 == "right" } == 5, "\(answers.outcome)")
        }
    }
}
