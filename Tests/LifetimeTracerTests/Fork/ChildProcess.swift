import LifetimeTracer

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
enum ChildProcess {
    /// How a child ended.
    enum End: Equatable {
        case code(Int32)
        case signal(Int32)
        /// It did not end in time.
        case hung
        case notForked(errno: Int32)
    }

    /// Runs `body` in a child, which then ends with the code that it returns, and waits for that.
    ///
    /// - Parameter seconds: How long the child may take.
    static func run(within seconds: UInt32 = 20, _ body: () -> Int32) -> End {
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
func endThisProcess(after seconds: UInt32) {
    // Dispatch's threads, on which tests run, block signals.
    var alarms = sigset_t()
    sigemptyset(&alarms)
    sigaddset(&alarms, SIGALRM)
    pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    alarm(seconds)
}

/// Threads that run until they are told to stop.
///
/// Not Dispatch's: that runs no more than there are processors.
final class Crowd: Sendable {
    private let threads: [pthread_t]
    private let stops: Stops

    final class Stops: Sendable {
        private let isSet = Locked(false)

        var isWanted: Bool { isSet.withLock { $0 } }

        fileprivate func set() { isSet.withLock { $0 = true } }
    }

    /// Starts threads that each run `body`, which gets its number and has to return when the end is wanted.
    init(_ count: Int, _ body: @escaping @Sendable (Int, Stops) -> Void) {
        let stops = Stops()
        self.stops = stops
        threads = (0..<count).compactMap { number in
            // Released by the thread.
            let box = Unmanaged.passRetained(Box { body(number, stops) })
            #if canImport(Darwin)
            var thread: pthread_t?
            #else
            var thread = pthread_t()
            #endif
            let failure = pthread_create(&thread, nil, { runCrowdMember($0) }, box.toOpaque())
            precondition(failure == 0, "pthread_create: error \(failure)")
            return thread
        }
    }

    /// Has the threads end and waits for that.
    func end() {
        stops.set()
        for thread in threads { pthread_join(thread, nil) }
    }

    fileprivate final class Box: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

private func runCrowdMember(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    Unmanaged<Crowd.Box>.fromOpaque(context).takeRetainedValue().run()
    return nil
}
