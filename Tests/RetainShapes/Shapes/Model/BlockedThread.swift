import Foundation
internal import LifetimeTracer

/// A thread that runs a body up to its call of `wait`, and blocks there until it is released.
final class BlockedThread: Sendable {
    private let released = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, and returns when the thread is blocked.
    init(_ body: @escaping @Sendable (_ wait: () -> Void) -> Void) {
        let sleep = ThreadSleep()
        let start = Start { [released, ended] in
            body {
                sleep.begin()
                released.wait()
            }
            ended.signal()
        }
        var thread = pthread_t()
        // Retained for the thread, which balances this retain with `takeRetainedValue`.
        let context = Unmanaged.passRetained(start).toOpaque()
        let failure = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Start>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, context)
        precondition(failure == 0, "pthread_create: error \(failure)")
        pthread_detach(thread)
        sleep.wait()
    }

    /// Unblocks the thread, and returns when the body has ended.
    func release() {
        released.signal()
        ended.wait()
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
