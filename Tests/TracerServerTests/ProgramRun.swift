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

    /// Where the program's standard output goes.
    enum Output {
        /// To a file, to be read as ``standardOutput``.
        case kept
        /// To a file that is there.
        case file(String)
        /// To an open descriptor.
        case descriptor(Int32)
        /// To a terminal, as are standard input and standard error.
        case terminal(String)
        /// Nowhere: the program is started without standard output.
        case closed
    }

    /// Starts the program.
    init(
        _ arguments: [String], environment: [String: String] = [:], standardOutput output: Output = .kept
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "lifetime-tracer-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Not what the one who runs the tests may have set.
        var inherited = ProcessInfo.processInfo.environment
        inherited["LIFETIME_TRACER"] = nil
        inherited["LIFETIME_TRACER_TOKEN"] = nil
        inherited["LIFETIME_TRACER_TOKEN_FILE"] = nil
        inherited["NO_COLOR"] = nil
        inherited["LIFETIME_TRACER_HOSTS"] = nil
        inherited["LIFETIME_TRACER_STACKS"] = nil
        inherited["LIFETIME_TRACER_KNOWN_LEAKS"] = nil
        process = try Self.spawn(
            Builds.tracerServer.path, arguments, inherited.merging(environment) { $1 }, output,
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
        _ path: String, _ arguments: [String], _ environment: [String: String], _ output: Output,
        standardOutput: String, standardError: String
    ) throws -> pid_t {
        #if canImport(Darwin)
        var actions: posix_spawn_file_actions_t?
        #else
        var actions = posix_spawn_file_actions_t()
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        func open(_ descriptor: Int32, _ file: String, _ flags: Int32) {
            posix_spawn_file_actions_addopen(&actions, descriptor, file, flags, 0o600)
        }
        let appending = O_WRONLY | O_CREAT | O_APPEND
        open(STDIN_FILENO, "/dev/null", O_RDONLY)
        open(STDERR_FILENO, standardError, appending)
        var isInTerminal = false
        switch output {
        case .kept: open(STDOUT_FILENO, standardOutput, appending)
        case .file(let file): open(STDOUT_FILENO, file, O_WRONLY)
        case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, STDOUT_FILENO)
        case .terminal(let terminal):
            // The first terminal that the leader of a session opens is the one whose keys send it signals.
            for descriptor in STDIN_FILENO...STDERR_FILENO { open(descriptor, terminal, O_RDWR) }
            isInTerminal = true
        case .closed: posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO)
        }
        #if canImport(Darwin)
        var attributes: posix_spawnattr_t?
        #else
        var attributes = posix_spawnattr_t()
        #endif
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // As a shell starts a program: a server of this process may have had SIGPIPE ignored.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        #if canImport(Darwin)
        let newSession = Int32(POSIX_SPAWN_SETSID)
        #else
        // Of glibc's and musl's spawn.h, where Swift does not see it.
        let newSession: Int32 = 0x80
        #endif
        let flags = Int32(POSIX_SPAWN_SETSIGDEF) | (isInTerminal ? newSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        // Copies for the call, freed right after it.
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for copy in words + settings { free(copy) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, path, &actions, &attributes, words, settings)
        guard failure == 0 else { throw CannotStart(path: path, errno: failure) }
        return process
    }
}
