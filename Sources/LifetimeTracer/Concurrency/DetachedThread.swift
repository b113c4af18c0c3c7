#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Starts threads that nobody joins.
package enum DetachedThread {
    /// The smallest stack: that of the second and further threads on macOS.
    ///
    /// What the tracer does on its threads takes a fraction of it.
    private static let smallestStack = 512 << 10
    /// Where memory is limited and less than this is left, a default stack, which often has 8 MB, would take much of it.
    private static let roomForDefaultStack = 64 << 20

    /// Starts a thread with the default stack size of the system, or a smaller one where memory for that is refused.
    ///
    /// The default follows `RLIMIT_STACK` on Linux and may be too small for anything; then the stack is larger.
    ///
    /// - Parameter body: Retained until it has returned; in a child of `fork`, which has no such thread, for ever.
    /// - Returns: 0, or the error number of the system where it refuses a thread. Then `body` is not called.
    package static func start(_ body: @escaping @Sendable () -> Void) -> CInt {
        // Retained for the thread, released by `detachedThreadMain`, or below where no thread has taken it over.
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

/// Where the thread starts; a free function, because it must not inherit anyone's isolation.
private func detachedThreadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context else { return nil }
    // Takes over the reference that `start` retained.
    let body = Unmanaged<DetachedThread.Body>.fromOpaque(context).takeRetainedValue()
    body.run()
    return nil
}
