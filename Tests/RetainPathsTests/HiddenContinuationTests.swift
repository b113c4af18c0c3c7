#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import LifetimeTracer
import Testing

@testable import RetainPaths

/// An object that is held by the task that it holds.
private final class UsedWaiter: @unchecked Sendable {
    // `@unchecked Sendable` is safe because the task uses the object only after it has waited.
    var task: Task<Void, Never>?
}

private struct UsedContinuation: LockedState {
    var hidden: HiddenContinuation<Void, Never>?
}

/// The Tasks that wait for a continuation that some searches must not find.
@Suite(.disabledUnderSanitizers) struct HiddenContinuationTests {
    private static let continuation = Locked(UsedContinuation())

    /// Starts a task that is part of a cycle and waits for a hidden continuation.
    private static func startHiddenWaiter() async {
        let (waits, isWaiting) = AsyncStream<Void>.makeStream()
        let waiter = UsedWaiter()
        waiter.task = Task.detached {
            await withUnsafeContinuation { continuation in
                Self.continuation.withLock { $0.hidden = HiddenContinuation(continuation) }
                isWaiting.finish()
            }
            waiter.task = nil
        }
        for await _ in waits {}
    }

    /// A task waits like this for its turn to search, and a test that uses the test kit for an event.
    @Test func waitingTaskIsNoLeak() async {
        await #expect(processExitsWith: .success) {
            await Self.startHiddenWaiter()
            for _ in 0..<3 {
                let graph = try? await HeapGraph.capture(options: Engine.patient)
                let found = graph?.leaks.all.filter { $0.name == "UsedWaiter" }
                demand(found?.isEmpty ?? false, "\(String(describing: found?.map { $0.text(full: true) }))")
            }
            Self.continuation.withLock { $0.hidden.take() }?.resume(with: .success(()))
        }
    }
}
#endif
