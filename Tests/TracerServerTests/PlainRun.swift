import Foundation

/// The outcome of a run of `plain-program`, to be compared with that of another run.
struct PlainRun: Equatable {
    let status: Int32
    let standardOutput: String
    /// The lines of standard error, without those of the tracer.
    let errors: [String]
    /// The lines of the tracer.
    let announcements: [String]

    /// The way in which the program is started.
    enum Start {
        /// By itself.
        case alone
        /// By `tracer-server run` with these options.
        case underRun([String])
        /// By itself, with the agent in the list of libraries to preload.
        case preloaded
    }

    /// Runs the program to its end, with few variables, and without descriptors that the tests have left open.
    ///
    /// - Parameters:
    ///   - preload: The value of `LD_PRELOAD`.
    ///   - redirections: Redirections of a shell.
    init(_ words: [String], _ start: Start, preload: String? = nil, redirections: String = "") async throws {
        let program = Builds.plainProgram.path
        var variables = ["TEXT=two words", "PATH=/usr/bin:/bin"]
        var list = preload
        let command: [String]
        switch start {
        case .alone: command = [program]
        case .underRun(let options): command = [Builds.tracerServer.path, "run"] + options + ["--", program]
        case .preloaded:
            command = [program]
            list = (preload.map { $0 + ":" } ?? "") + Builds.agent.path
            variables.append("LIFETIME_TRACER=0")
        }
        if let list { variables.append("LD_PRELOAD=\(list)") }
        let closing = (3...9).map { "\($0)>&-" }.joined(separator: " ")
        let run = try ProgramRun(
            ["-c", "exec env -i \"$@\" \(closing) \(redirections)", "sh"] + variables + command + words,
            of: URL(filePath: "/bin/sh"))
        status = try await run.exitStatus()
        standardOutput = run.standardOutput
        let lines = run.standardError.split(separator: "\n").map(String.init)
        errors = lines.filter { !$0.hasPrefix("LifetimeTracer: ") && !$0.hasPrefix("tracer-server") }
        announcements = lines.filter { $0.hasPrefix("LifetimeTracer: ") || $0.hasPrefix("tracer-server") }
    }

    /// Whether the tracer has said where its server listens, and nothing else but that the program closed its sockets.
    var isServed: Bool {
        announcements.first?.hasPrefix("LifetimeTracer: http://127.0.0.1:") == true
            && announcements.dropFirst().allSatisfy { $0.contains("the program has closed the sockets of the server") }
    }
}
