import LifetimeTracer
import Patience

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Calls `fork`, which Swift does not import because most Swift code is unsafe in a child.
///
/// Use this only in exit tests, which have their own process.
package enum ChildProcess {
    /// The outcome of a child.
    package enum End: Equatable, LockedState {
        case code(Int32)
        case signal(Int32)
        /// The child did not end in time.
        case hung
        case notForked(errno: Int32)
    }

    /// Runs `body` in a child that ends with the returned code, and waits for its end.
    ///
    /// - Parameter seconds: The time limit of the child.
    package static func run(within seconds: UInt32 = UInt32(Patience.seconds), _ body: () -> Int32) -> End {
        // Swift does not import `fork`, but the library contains it.
        guard let symbol = dlsym(nil, "fork") else { return .notForked(errno: ENOSYS) }
        // Safe: this is its signature in fork(2).
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
            // A child that hangs ends by its own alarm, so the parent needs no timeout.
            endThisProcess(after: seconds)
            _exit(body())
        }
        guard child > 0 else { return .notForked(errno: errno) }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 {
            guard errno == EINTR else { return .notForked(errno: errno) }
        }
        let signal = status & 0x7F
        if signal == SIGALRM { return .hung }
        return signal == 0 ? .code((status >> 8) & 0xFF) : .signal(signal)
    }
}

/// Ends this process by `SIGALRM` after a time limit.
///
/// A test that hangs in its own process would otherwise never fail.
package func endThisProcess(after seconds: UInt32) {
    // Dispatch's threads, on which tests run, block signals.
    var alarms = sigset_t()
    sigemptyset(&alarms)
    sigaddset(&alarms, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    alarm(seconds)
}
