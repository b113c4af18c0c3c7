#if canImport(Glibc)
import Glibc
#endif

/// A thread of the operating system that can be joined.
struct OSThread: Sendable {
    private let thread: pthread_t

    init(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        // Retained for the thread, which balances the retain.
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let failure = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        precondition(failure == 0, "pthread_create: error \(failure)")
        self.thread = thread
    }

    func join() {
        pthread_join(thread, nil)
    }
}
