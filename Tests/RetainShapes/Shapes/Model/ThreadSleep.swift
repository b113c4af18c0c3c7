import Foundation
internal import LifetimeTracer

/// Lets a thread announce that it is about to sleep, and another thread wait for that sleep.
///
/// The search knows the extent of a thread's stack only if the thread sleeps in the kernel. On a busy machine, that may
/// be long after the announcement.
final class ThreadSleep: Sendable {
    private let announced = DispatchSemaphore(value: 0)
    private let state = Locked<String?>(nil)

    /// Announces that the calling thread sleeps next.
    func begin() {
        state.withLock { $0 = Self.stateFile }
        announced.signal()
    }

    /// Returns when the thread that called `begin()` sleeps.
    func wait() {
        announced.wait()
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
}
