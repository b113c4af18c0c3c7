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

    /// Runs the program until the tracer has announced something a number of times.
    ///
    /// On a busy machine, a program may end before its server has started, because it waits for the start at most two
    /// seconds.
    static func announced(
        _ words: [String], _ start: Start, times: Int = 1, preload: String? = nil
    ) async throws -> PlainRun {
        try await eventually("the server starts before the program ends") {
            let run = try await PlainRun(words, start, preload: preload)
            return run.announcements.count >= times ? run : nil
        }
    }

    /// Whether the tracer has said where its server listens, and nothing else but that the program closed its sockets.
    var isServed: Bool {
        announcements.first?.hasPrefix("LifetimeTracer: http://127.0.0.1:") == true
            && announcements.dropFirst().allSatisfy { $0.contains("the program has closed the sockets of the server") }
    }
}

extension ProgramRun {
    /// Runs a program to its end, and again until its standard error contains a text.
    ///
    /// See ``PlainRun/announced(_:_:times:preload:)``.
    static func finished(
        _ arguments: [String], of program: URL = Builds.tracerServer, environment: [String: String] = [:],
        saying text: String
    ) async throws -> (run: ProgramRun, status: Int32) {
        try await eventually("the program says: \(text)") {
            let run = try ProgramRun(arguments, of: program, environment: environment)
            let status = try await run.exitStatus()
            return run.standardError.contains(text) ? (run, status) : nil
        }
    }
}
