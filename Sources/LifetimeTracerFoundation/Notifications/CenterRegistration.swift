import Foundation
import LifetimeTracer

/// What removes an observer from its centre, which it does not keep alive.
///
/// `@unchecked Sendable` is safe because the centre locks itself, and the observer, which is only handed back to it, lives
/// inside the lock.
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

    /// Says what the centre gave out.
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
        // A centre may let go of its closure under its own lock. Kept until after that, so that what the closure captured,
        // which may well remove other observers as it goes, does not go there.
        withExtendedLifetime(receiver) { center?.removeObserver(observer) }
    }
}
