import RetainPaths
import Testing

@testable import tracer_server

/// The real `why` with types of the real demo.
@Suite(.timeLimit(.minutes(20))) struct WhyTypeProgramTests {
    @Test func instancesOfATypeAreReportedInOneGroup() async throws {
        guard await RetainPaths.availability() == .available else { return }
        let demo = try await DemoRun()
        for _ in 0..<3 { _ = try await demo.play("dismissed-screen", .leaking) }
        let why = try ProgramRun(["why", demo.base, "NoteScreen"])
        #expect(try await why.exitStatus() == 0, "\(why.standardError)")
        let said = why.standardOutput
        #expect(said.hasPrefix("tracer_server.NoteScreen: 3 live, 3 overdue\n"), "\(said)")
        #expect(said.contains("3 of 3 instances, 3 of them overdue: #"), "\(said)")
        #expect(said.contains("static RecentNotes.screens["), "\(said)")
        #expect(said.components(separatedBy: "is held by").count == 2, "told once: \(said)")

        let sample = try ProgramRun(["why", demo.base, "tracer_server.NoteScreen", "--sample", "2", "--full"])
        #expect(try await sample.exitStatus() == 0, "\(sample.standardError)")
        #expect(sample.standardOutput.contains("3 live, 3 overdue; 2 searched"), "\(sample.standardOutput)")
        #expect(sample.standardOutput.contains("2 of 2 instances, 2 of them overdue"), "\(sample.standardOutput)")
    }

    @Test func unknownTypeEndsWithStatusOneAndSimilarNames() async throws {
        let demo = try await DemoRun()
        _ = try await demo.play("dismissed-screen", .leaking)
        let why = try ProgramRun(["why", demo.base, "NoteScren"])
        #expect(try await why.exitStatus() == 1)
        #expect(
            why.standardError
                == "tracer-server why: no type named \"NoteScren\" has been seen; "
                + "similar types: tracer_server.NoteScreen\n")
        #expect(why.standardOutput.isEmpty)
    }
}
