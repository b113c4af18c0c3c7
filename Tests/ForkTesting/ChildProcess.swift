import LifetimeTracer
import Patience

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Forks, which Swift hides for good reasons.
///
/// To be used in exit tests, which have the process for themselves.
package enum ChildProcess {
    /// How a child ended.
    package enum End: Equatable, LockedState {
        case code(Int32)
        case signal(Int32)
        /// It did not end in time.
        case hung
        case notForked(errno: Int32)
    }

    /// Runs `body` in a child, which then ends with the code that it returns, and waits for that.
    ///
    /// - Parameter seconds: How long the child may take.
    package static func run(within seconds: UInt32 = UInt32(Patience.seconds), _ body: () -> Int32) -> End {
        // The module hides the function, not the library.
        guard let symbol = dlsym(nil, "fork") else { return .notForked(errno: ENOSYS) }
        let fork = unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
        let child = fork()
        if child == 0 {
            // A child that hangs kills itself, so that nobody has to look at the time.
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

/// Ends this process by `SIGALRM`, unless it has ended by then.
///
/// A test that hangs in its own process would never fail.
package func endThisProcess(after seconds: UInt32) {
    // Dispatch's threads, on which tests run, block signals.
    var alarms = sigset_t()
    sigemptyset(&alarms)
    sigaddset(&alarms, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    alarm(seconds)
}
