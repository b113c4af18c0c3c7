#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A thread that ends when its body returns, and must be joined or detached.
///
/// `@unchecked Sendable` is safe because the handle is only read.
final class BackgroundThread: @unchecked Sendable {
    private let handle: pthread_t

    /// Starts a thread that blocks the host program's signals.
    ///
    /// - Throws: ``ServerError`` with the code `outOfResources` if the system cannot create a thread.
    init(_ body: @escaping @Sendable () -> Void) throws(ServerError) {
        let box = Unmanaged.passRetained(Body(run: body))
        #if canImport(Darwin)
        var handle: pthread_t?
        #else
        var handle = pthread_t()
        #endif
        let failure = SignalMask.whileAllAreBlocked {
            pthread_create(&handle, nil, runBody, box.toOpaque())
        }
        let started: pthread_t? = handle
        guard failure == 0, let started else {
            // No thread owns the reference, so it is released here.
            box.release()
            throw ServerError(
                .outOfResources, "cannot start a thread: \(String(cString: strerror(failure))) (errno \(failure))",
                hint: "raise the limit on threads (ulimit -u) or address space (ulimit -v)", errno: failure)
        }
        self.handle = started
    }

    /// Waits until the body has returned.
    ///
    /// Must be called once, and not on the thread itself.
    func join() {
        pthread_join(handle, nil)
    }

    /// Detaches the thread.
    ///
    /// Must be called once, instead of ``join()``.
    func detach() {
        pthread_detach(handle)
    }

    /// The body of the new thread.
    fileprivate final class Body: Sendable {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }
}

#if canImport(Darwin)
private typealias ThreadArgument = UnsafeMutableRawPointer
#else
private typealias ThreadArgument = UnsafeMutableRawPointer?
#endif

private func runBody(_ argument: ThreadArgument) -> UnsafeMutableRawPointer? {
    let box: UnsafeMutableRawPointer? = argument
    guard let box else { return nil }
    Unmanaged<BackgroundThread.Body>.fromOpaque(box).takeRetainedValue().run()
    return nil
}
