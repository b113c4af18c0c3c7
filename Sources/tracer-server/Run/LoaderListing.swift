import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The libraries that the loader would load for a program, as the loader itself lists them.
///
/// Only the loader knows its search path, its cache and the environment. It maps the files for the list, and runs none
/// of their code.
struct LoaderListing: Sendable, Equatable {
    /// The paths by name, for those that were found.
    let paths: [String: String]

    /// Reads the lines of a list: `libswiftCore.so => /usr/lib/libswiftCore.so (0x00007f…)`.
    init(_ text: String) {
        var paths: [String: String] = [:]
        for line in text.split(separator: "\n") {
            let line = line.drop { $0 == "\t" || $0 == " " }
            guard let address = line.range(of: " (0x") else { continue }
            let entry = line[..<address.lowerBound]
            if let arrow = entry.range(of: " => ") {
                paths[String(entry[..<arrow.lowerBound])] = String(entry[arrow.upperBound...])
            } else if entry.hasPrefix("/") {
                paths[String(entry.split(separator: "/").last ?? "")] = String(entry)
            }
        }
        self.paths = paths
    }

    /// Asks a loader; `nil` if it does not answer.
    static func ask(_ loader: String, about program: String) -> LoaderListing? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        defer { close(ends[0]) }
        // There is no other thread yet that could start a program in between.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        // The program's start repeats the loader's complaints.
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        let words: [UnsafeMutablePointer<CChar>?] = [strdup(loader), strdup("--list"), strdup(program), nil]
        defer { for word in words { free(word) } }
        let isSignalPending = isChildSignalPending
        var child: pid_t = 0
        let failure = posix_spawn(&child, loader, &actions, nil, words, environ)
        close(ends[1])
        guard failure == 0 else { return nil }
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(ends[0], &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            text += buffer.prefix(count)
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        if !isSignalPending { takeChildSignal() }
        return status == 0 ? LoaderListing(String(decoding: text, as: UTF8.self)) : nil
    }

    private static var isChildSignalPending: Bool {
        var pending = sigset_t()
        sigpending(&pending)
        return sigismember(&pending, SIGCHLD) == 1
    }

    /// Takes the signal of the loader's end back, which the program would receive later if it starts with the signal
    /// blocked.
    private static func takeChildSignal() {
        guard isChildSignalPending else { return }
        var wanted = sigset_t()
        sigemptyset(&wanted)
        sigaddset(&wanted, SIGCHLD)
        var none = timespec()
        _ = sigtimedwait(&wanted, nil, &none)
        // One signal stands for all children that have ended, also for those that this process has from before it was
        // tracer-server.
        var other = siginfo_t()
        if waitid(P_ALL, 0, &other, WEXITED | WNOHANG | WNOWAIT) == 0, other.si_signo == SIGCHLD {
            kill(getpid(), SIGCHLD)
        }
    }
}
