#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Keeps the host program's signals away from the server's threads.
///
/// A signal for the process goes to any thread that does not block it. A program that blocks SIGTERM in `main` in order
/// to wait for it would be killed through a server thread that had started earlier.
enum SignalMask {
    /// Runs `body` with all signals blocked; threads that it starts keep the mask.
    ///
    /// Also SIGABRT, SIGSEGV and others that a thread usually causes itself: the program may wait for one that another
    /// process sends, as a watchdog does. The system does not block what a thread causes itself, but ends the process.
    /// `SIGPROF` stays as it is in the calling thread: Swift's crash reporter suspends threads with it if they block
    /// `SIGUSR1` and `SIGUSR2` (stdlib/public/runtime/CrashHandlerLinux.cpp, signal_for_suspend).
    static func whileAllAreBlocked<Result>(_ body: () -> Result) -> Result {
        var blocked = sigset_t()
        var before = sigset_t()
        sigfillset(&blocked)
        pthread_sigmask(SIG_BLOCK, nil, &before)
        if sigismember(&before, SIGPROF) == 0 { sigdelset(&blocked, SIGPROF) }
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return body()
    }
}
