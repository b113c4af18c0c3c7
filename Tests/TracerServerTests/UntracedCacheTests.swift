import RetainPaths
import Testing

@testable import tracer_server

/// The scenario whose classes are not traced, in the real program, seen by captures of the heap.
@Suite(
    .timeLimit(.minutes(20)),
    .enabled("captures are not available") { await RetainPaths.availability() == .available })
struct UntracedCacheTests {
    @Test func leakingFormIsFoundInCapturesAlone() async throws {
        let demo = try await DemoRun()
        _ = try await printed(["heap", demo.base])
        let run = try await demo.play("untraced-cache", .leaking)
        #expect(run.steps.first == "showed 100 pages: the cache holds 100", "\(run.steps)")
        #expect(try await demo.verdicts() == Wire.Verdicts())
        #expect(try await demo.scenarioTypes().isEmpty, "no class is traced")

        let comparison = try await printed(["heap", demo.base, "--since", "1", "--filter", "CachedPage"])
        let growth = comparison.split(separator: "\n").first { $0.contains("CachedPage") }
        #expect(growth?.contains("+100") == true, "\(comparison)")
        let holders = try await printed(["heap", demo.base, "--paths", "CachedPage"])
        #expect(holders.contains("CachedPage: 100 now, all examined."), "\(holders)")
        #expect(holders.contains("\n100 of 100 by static PageCache.shared\n"), "\(holders)")
        let leaks = try await printed(["leaks", demo.base], status: 1)
        #expect(leaks.contains("(×12) holds itself through a cycle"), "\(leaks)")
        #expect(leaks.contains("PageRow.editor") && leaks.contains("RowEditor.row"), "\(leaks)")
    }

    @Test func mendedFormLeavesTheLatestPagesOnly() async throws {
        let demo = try await DemoRun()
        for _ in 1...2 { _ = try await demo.play("untraced-cache", .mended) }
        let holders = try await printed(["heap", demo.base, "--paths", "MendedCachedPage"])
        #expect(holders.contains("\n10 of 10 by static MendedPageCache.shared\n"), "\(holders)")
        let leaks = try await printed(["leaks", demo.base])
        #expect(leaks.contains("\nno leaks\n"), "\(leaks)")
        #expect(try await demo.verdicts() == Wire.Verdicts())
    }

    /// Runs a command to its end and returns what it printed.
    private func printed(_ arguments: [String], status: Int32 = 0) async throws -> String {
        let program = try ProgramRun(arguments)
        let end = try await program.exitStatus()
        #expect(end == status, "\(arguments): \(program.standardOutput)\(program.standardError)")
        return program.standardOutput
    }
}
