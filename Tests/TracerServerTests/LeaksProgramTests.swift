import RetainPaths
import Testing

@testable import tracer_server

/// The real `leaks` on the real demo.
@Suite(.timeLimit(.minutes(20))) struct LeaksProgramTests {
    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func leaksFindsTheCycleOfTheDemo() async throws {
        let demo = try await DemoRun()
        let before = try ProgramRun(["leaks", demo.base])
        #expect(try await before.exitStatus() == 0, "\(before.standardOutput)\(before.standardError)")
        #expect(before.standardOutput.contains("\nno leaks\n"), "\(before.standardOutput)")
        _ = try await demo.play("coordinators", .leaking)
        let after = try ProgramRun(["leaks", demo.base])
        #expect(try await after.exitStatus() == 1, "\(after.standardOutput)\(after.standardError)")
        #expect(after.standardOutput.contains("\n1 leak\n"), "\(after.standardOutput)")
        #expect(
            after.standardOutput.contains("captures ProfileScreen strongly ⟲  ← suspect"), "\(after.standardOutput)")
    }
}
