import CTracerSystem
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A program that runs as a child of this process, which waits for its end.
///
/// The program has the standard streams, the process group, the terminal and the signal mask of this process. Signals
/// that this process receives are passed on, and if this process is killed, so is the program.
struct SupervisedProgram: Sendable {
    /// How a program has ended.
    enum Ending: Sendable, Equatable {
        /// With an exit status.
        case exited(Int32)
        /// By a signal.
        case killed(Int32)
    }

    let process: pid_t

    /// The code of a signal that the system itself has sent: `SI_KERNEL`.
    private static let sentBySystem: Int32 = 0x80

    /// Starts a program.
    ///
    /// Call it on the first thread, before there are others. Afterwards this process blocks all signals, and has no
    /// descriptors except standard error.
    ///
    /// - Parameter streams: The standard streams that are closed when the program starts.
    static func start(
        _ path: String, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, closing streams: [Int32]
    ) throws(SystemError) -> SupervisedProgram {
        for stream in streams { _ = fcntl(stream, F_SETFD, FD_CLOEXEC) }
        let process = lt_start_supervised(path, words, environ)
        guard process > 0 else { throw .last }
        lt_keep_only_standard_error()
        return SupervisedProgram(process: process)
    }

    /// Waits until the program has ended, and meanwhile passes signals on.
    ///
    /// - Parameter onWake: Called after each SIGCHLD, which the agent sends, too.
    func wait(onWake: () -> Void) -> Ending {
        var all = sigset_t()
        sigfillset(&all)
        // Whether the terminal has stopped the process group, so that this process must stop with the program.
        var isGroupStopping = false
        while true {
            var info = siginfo_t()
            let number = sigwaitinfo(&all, &info)
            // Interrupted when the process goes on after a stop.
            guard number > 0 else { continue }
            switch number {
            case SIGCHLD:
                onWake()
                if let ending = reap(&isGroupStopping) { return ending }
            case SIGTSTP where info.si_code == Self.sentBySystem, SIGTTIN where info.si_code == Self.sentBySystem,
                SIGTTOU where info.si_code == Self.sentBySystem:
                isGroupStopping = true
            case SIGINT where info.si_code == Self.sentBySystem, SIGQUIT where info.si_code == Self.sentBySystem,
                SIGWINCH where info.si_code == Self.sentBySystem:
                // The terminal has sent the signal to the program, too.
                continue
            default:
                kill(process, number)
            }
        }
    }

    /// Reads the changes of all children; the first process of a container gets those of others, too.
    private func reap(_ isGroupStopping: inout Bool) -> Ending? {
        while true {
            var status: Int32 = 0
            let child = waitpid(-1, &status, WNOHANG | WUNTRACED)
            if child < 0, errno == EINTR { continue }
            guard child > 0 else { return nil }
            guard child == process else { continue }
            let signal = status & 0x7F
            guard signal == 0x7F else { return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal) }
            // The shell waits until all processes of the group have stopped. It also waits if the program has stopped
            // itself with a signal of job control, as editors do. It then continues all processes of the group.
            let stop = (status >> 8) & 0xFF
            if isGroupStopping || [SIGTSTP, SIGTTIN, SIGTTOU].contains(stop) { kill(getpid(), SIGSTOP) }
            isGroupStopping = false
        }
    }
}
