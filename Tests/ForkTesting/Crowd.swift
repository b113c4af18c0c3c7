import LifetimeTracer

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Threads that run until they are told to stop.
///
/// These are not Dispatch's threads, because Dispatch runs only as many threads as there are processors.
package final class Crowd: Sendable {
    private let threads: [pthread_t]
    private let stops: Stops

    package final class Stops: Sendable {
        private let isSet = Locked(false)

        package var isWanted: Bool { isSet.withLock { $0 } }

        fileprivate func set() { isSet.withLock { $0 = true } }
    }

    /// Starts threads that each run `body`.
    ///
    /// `body` receives the thread's number and must return when the crowd is to stop.
    package init(_ count: Int, _ body: @escaping @Sendable (Int, Stops) -> Void) {
        let stops = Stops()
        self.stops = stops
        threads = (0..<count).compactMap { number in
            // The thread releases the box.
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

    /// Stops the threads and waits for their end.
    package func end() {
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
