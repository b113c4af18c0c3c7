import Foundation
import LifetimeTracer

/// The real program, started as a user would start it.
///
/// It is killed when this goes. It writes to files, not pipes, and is waited for directly: with many started side by side, an end of one's pipe may be
/// inherited by another, and then the first seems never to end.
final class ProgramRun: Sendable {
    private let process: pid_t
    private let folder: URL
    private let status = Locked<Int32?>(nil)

    /// The program could not be started.
    struct CannotStart: Error {
        let path: String
        let errno: Int32
    }

    /// Starts the program.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "lifetime-tracer-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Not what the one who runs the tests may have set.
        var inherited = ProcessInfo.processInfo.environment
        inherited["LIFETIME_TRACER"] = nil
        inherited["LIFETIME_TRACER_TOKEN"] = nil
        inherited["LIFETIME_TRACER_HOSTS"] = nil
        inherited["LIFETIME_TRACER_STACKS"] = nil
        inherited["LIFETIME_TRACER_KNOWN_LEAKS"] = nil
        process = try Self.spawn(
            Builds.tracerServer.path, arguments, inherited.merging(environment) { $1 },
            standardOutput: folder.appending(path: "out").path, standardError: folder.appending(path: "err").path)
        Thread.detachNewThread { [process, status] in
            var raw: Int32 = 0
            while waitpid(process, &raw, 0) < 0, errno == EINTR {}
            let signal = raw & 0x7F
            status.withLock { [raw] in $0 = signal == 0 ? (raw >> 8) & 0xFF : -signal }
        }
    }

    deinit {
        send(SIGKILL)
        try? FileManager.default.removeItem(at: folder)
    }

    /// What it has written so far.
    var standardOutput: String { text("out") }
    var standardError: String { text("err") }

    /// The lines that it has written to standard output completely.
    var lines: [String] {
        standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    func send(_ signal: Int32) {
        // Its id may belong to another by the time it has been waited for.
        status.withLock { status in
            if status == nil { kill(process, signal) }
        }
    }

    /// Waits for its end.
    ///
    /// - Returns: Its exit status; negative when a signal ended it.
    func exitStatus() async throws -> Int32 {
        try await eventually("the program ends") { status.withLock { $0 } }
    }

    private func text(_ name: String) -> String {
        (try? Data(contentsOf: folder.appending(path: name))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    private static func spawn(
        _ path: String, _ arguments: [String], _ environment: [String: String],
        standardOutput: String, standardError: String
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for (descriptor, file) in [(STDOUT_FILENO, standardOutput), (STDERR_FILENO, standardError)] {
            posix_spawn_file_actions_addopen(&actions, descriptor, file, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        }
        // Copies for the call, freed right after it.
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for copy in words + settings { free(copy) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, path, &actions, nil, words, settings)
        guard failure == 0 else { throw CannotStart(path: path, errno: failure) }
        return process
    }
}
