import Foundation
import LifetimeTracer

/// The real program, or another one, started as a user starts it.
///
/// The program is killed when this object is released. Its output goes to files and not to pipes, and `waitpid` waits
/// for its end. If many programs are started in parallel, one of them may inherit an end of another's pipe, and the
/// pipe then stays open.
final class ProgramRun: Sendable {
    private let process: pid_t
    private let folder: URL
    private let status = Locked<Int32?>(nil)

    /// The program could not be started.
    struct CannotStart: Error {
        let path: String
        let errno: Int32
    }

    /// The destination of the program's standard output.
    enum Output {
        /// A temporary file, which ``standardOutput`` reads.
        case kept
        /// An existing file.
        case file(String)
        /// An open descriptor.
        case descriptor(Int32)
        /// A terminal, also used for standard input and standard error.
        case terminal(String)
        /// None: the program starts without standard output.
        case closed
    }

    /// Starts a program: `tracer-server` if none is given.
    init(
        _ arguments: [String], of program: URL = Builds.tracerServer, environment: [String: String] = [:],
        standardOutput output: Output = .kept
    ) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "lifetime-tracer-run-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // The program must not inherit the settings of the user who runs the tests.
        var inherited = ProcessInfo.processInfo.environment
        inherited["NO_COLOR"] = nil
        for name in inherited.keys where name.hasPrefix("LIFETIME_TRACER") { inherited[name] = nil }
        process = try Self.spawn(
            program.path, arguments, inherited.merging(environment) { $1 }, output,
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

    /// The program's standard output so far.
    var standardOutput: String { text("out") }
    var standardError: String { text("err") }

    /// The complete lines of standard output so far.
    var lines: [String] {
        standardOutput.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    /// Valid until the program has been waited for.
    var processID: pid_t { process }

    /// Whether the program has ended.
    var hasEnded: Bool { status.withLock { $0 != nil } }

    /// Whether a signal has stopped the program.
    var isStopped: Bool {
        var info = siginfo_t()
        guard waitid(P_PID, id_t(process), &info, WSTOPPED | WNOHANG | WNOWAIT) == 0 else { return false }
        return info.si_signo == SIGCHLD
    }

    func send(_ signal: Int32) {
        // After the process has been waited for, its id may belong to another process.
        status.withLock { status in
            if status == nil { kill(process, signal) }
        }
    }

    /// Waits until the program has ended.
    ///
    /// - Returns: The exit status; negative if a signal ended the program.
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
            // The first terminal that a session leader opens becomes the controlling terminal, whose keys send signals.
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
        // SIGPIPE has its default action, as in a program that a shell starts. A server in this process may ignore
        // SIGPIPE.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        // The threads that run tests block signals, and the program would inherit that.
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        #if canImport(Darwin)
        let newSession = Int32(POSIX_SPAWN_SETSID)
        #else
        // POSIX_SPAWN_SETSID from the spawn.h of glibc and musl, which Swift does not import.
        let newSession: Int32 = 0x80
        #endif
        let flags = Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK) | (isInTerminal ? newSession : 0)
        posix_spawnattr_setflags(&attributes, Int16(flags))
        // These copies are freed after the call.
        let words = ([path] + arguments).map { strdup($0) } + [nil]
        let settings = environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { for copy in words + settings { free(copy) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, path, &actions, &attributes, words, settings)
        guard failure == 0 else { throw CannotStart(path: path, errno: failure) }
        return process
    }
}

extension ProgramRun {
    /// The address of the page in a program under `tracer-server run`, once the page is served.
    func servedAddress() async throws -> String {
        try await eventually("the page is served") {
            let mark = "LifetimeTracer: http://"
            let line = standardError.split(separator: "\n").first { $0.hasPrefix(mark) && $0.hasSuffix("/") }
            return line.map { String($0.dropFirst(mark.count).dropLast()) }
        }
    }
}
