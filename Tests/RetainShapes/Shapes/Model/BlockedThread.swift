import Foundation
internal import LifetimeTracer

/// A thread that runs a body as far as to its call of a wait, and stays there until it is released.
final class BlockedThread: Sendable {
    private let reached = DispatchSemaphore(value: 0)
    private let released = DispatchSemaphore(value: 0)
    private let ended = DispatchSemaphore(value: 0)

    /// Starts the thread, and returns when it waits.
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
        // Retained for the thread, which takes it over.
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
        // Only of a thread that waits in the kernel it is known how far its stack reaches.
        guard let path = state.withLock({ $0 }) else { return }
        waitUntil("the thread sleeps") {
            (try? String(contentsOfFile: path, encoding: .utf8))?.contains(") S ") ?? true
        }
    }

    /// Where the kernel tells the state of the calling thread; `nil` where it does not.
    private static var stateFile: String? {
        // "self/task/4711"
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link.map {
            "/proc/\(ProcessInfo.processInfo.processIdentifier)/task/\($0.split(separator: "/").last ?? "")/stat"
        }
    }

    /// Lets the thread go on, and returns when it is done with the body.
    func release() {
        released.signal()
        ended.wait()
    }

    private final class Start: Sendable {
        let body: @Sendable () -> Void

        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}
