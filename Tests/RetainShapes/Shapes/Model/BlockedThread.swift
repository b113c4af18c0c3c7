import Foundation
internal import LifetimeTracer

/// A thread that runs a body up to its call of `wait`, and blocks there until it is released.
final class BlockedThread: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, and returns when the thread is blocked.
    init(_ body: @escaping @Sendable (_ wait: () -> Void) -> Void) {
        let state = Locked<String?>(nil)
        let start = Start { [reached, released, ended] in
            body {
                state.withLock { $0 = Self.stateFile }
                reached.signal()
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
        reached.wait()
        // The search knows the extent of a thread's stack only if the thread sleeps in the kernel.
        guard let path = state.withLock({ $0 }) else { return }
        waitUntil("the thread sleeps") {
            (try? String(contentsOfFile: path, encoding: .utf8))?.contains(") S ") ?? true
        }
    }

    /// The file in which the kernel reports the state of the calling thread; `nil` without /proc.
    private static var stateFile: String? {
        // The link is, for example, "self/task/4711".
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link.map {
            "/proc/\(ProcessInfo.processInfo.processIdentifier)/task/\($0.split(separator: "/").last ?? "")/stat"
        }
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
