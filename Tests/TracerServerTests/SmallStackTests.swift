import Testing

/// A program whose thread has a stack that is too small for the tracer's first look at a class.
@Suite(.timeLimit(.minutes(20))) struct SmallStackTests {
    @Test(arguments: [[], ["--stacks"]]) func classThatASmallStackMeetsFirstIsTraced(_ options: [String]) async throws {
        let words = ["run", "--listen", "0", "--summary"] + options
        let run = try ProgramRun(words + ["--", Builds.plainProgram.path, "small-stack"])
        #expect(try await run.exitStatus() == 0, "\(run.standardError)")
        #expect(run.standardOutput == "crumbs 1\n")
        #expect(run.standardError.contains("1 plain_program.SmallStack.Crumb (1 born)"), "\(run.standardError)")
    }
}
