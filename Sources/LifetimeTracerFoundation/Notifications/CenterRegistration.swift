import Foundation
import LifetimeTracer

/// Removes an observer from its centre, which it does not retain.
///
/// `@unchecked Sendable` is safe because the centre has its own lock, and the observer, which is only passed back to
/// the centre, is kept inside the lock.
final class CenterRegistration: @unchecked Sendable {
    // `@unchecked Sendable` is safe for the reason above.
    private struct State: @unchecked Sendable, LockedState {
        var observer: (any NSObjectProtocol)?
        var hasEnded = false
    }

    private weak let center: NotificationCenter?
    private weak let receiver: NotificationReceiver?
    private let state = Locked(State())

    init(center: NotificationCenter, receiver: NotificationReceiver) {
        self.center = center
        self.receiver = receiver
    }

    /// Stores the observer that the centre returned.
    func begin(with observer: any NSObjectProtocol) {
        let hasEnded = state.withLock { state in
            state.observer = observer
            return state.hasEnded
        }
        if hasEnded { remove(observer) }
    }

    /// Removes the observer.
    func end() {
        let observer = state.withLock { state in
            state.hasEnded = true
            return state.observer
        }
        if let observer { remove(observer) }
    }

    private func remove(_ observer: any NSObjectProtocol) {
        // A centre may release its closure under its own lock. The receiver is kept until after that call, so that the
        // closure's captures, whose release may remove other observers, are not released under that lock.
        withExtendedLifetime(receiver) { center?.removeObserver(observer) }
    }
}
