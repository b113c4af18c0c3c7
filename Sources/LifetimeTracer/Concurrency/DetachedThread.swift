#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Starts detached threads.
package enum DetachedThread {
    /// The smallest stack, in bytes: the default of secondary threads on macOS.
    ///
    /// The tracer's work on its threads needs a fraction of it.
    private static let smallestStack = 512 << 10
    /// The room needed for a default stack, in bytes.
    ///
    /// If less memory is available under a limit, a default stack, which is often 8 MB, would take much of it.
    private static let roomForDefaultStack = 64 << 20

    /// Starts a thread with the system's default stack size, or with a smaller stack if memory is short.
    ///
    /// On Linux the default follows `RLIMIT_STACK`; a default below ``smallestStack`` is raised to that size.
    ///
    /// - Parameter body: Retained until it has returned. A fork child, which does not have the thread, retains it
    ///   forever.
    /// - Returns: 0, or the system's error number if it refuses a thread. In that case `body` is not called.
    package static func start(_ body: @escaping @Sendable () -> Void) -> CInt {
        // Retained for the thread; released by `detachedThreadMain`, or below if no thread has started.
        let box = Unmanaged.passRetained(Body(body))
        let isMemoryScarce = !ProcessLimits.hasRoom(for: roomForDefaultStack)
        var failure = start(box, stackSize: isMemoryScarce ? smallestStack : nil)
        if failure == EAGAIN || failure == ENOMEM { failure = start(box, stackSize: smallestStack) }
        if failure != 0 { box.release() }
        return failure
    }

    private static func start(_ box: Unmanaged<Body>, stackSize: Int?) -> CInt {
        var attributes = pthread_attr_t()
        let failure = pthread_attr_init(&attributes)
        guard failure == 0 else { return failure }
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
        var size = 0
        pthread_attr_getstacksize(&attributes, &size)
        if stackSize != nil || size < smallestStack {
            pthread_attr_setstacksize(&attributes, stackSize ?? smallestStack)
        }
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        return pthread_create(&thread, &attributes, { detachedThreadMain($0) }, box.toOpaque())
    }

    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }
}

/// The thread's entry point; a free function, so that it does not inherit the isolation of an actor.
private func detachedThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    // Balances `passRetained` in `start`.
    let body = Unmanaged<DetachedThread.Body>.fromOpaque(context).takeRetainedValue()
    body.run()
    return nil
}
