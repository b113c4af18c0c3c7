#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Glibc

/// A thread of the C library.
final class SimpleThread: Sendable {
    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        // The body is retained here for the thread, which releases it.
        let context = Unmanaged.passRetained(Body(body)).toOpaque()
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                // Safe: `context` is the body that is retained above, and it is released here once.
                if let context { Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run() }
                return nil
            }, context)
        precondition(failure == 0)
        self.thread = thread
    }

    func join() { pthread_join(thread, nil) }

    func send(signal: CInt) { pthread_kill(thread, signal) }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}
#endif
