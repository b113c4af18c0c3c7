import Foundation
import LifetimeTracer

/// Receives the notifications for a typed observer.
///
/// The centre retains the receiver, which retains the closure. The receiver holds the token weakly, because the token
/// removes the receiver.
final class NotificationReceiver: Sendable {
    private struct State: LockedState {
        weak var token: ObserverToken?
    }

    private let body: @Sendable (ObserverToken, Notification) -> Void
    private let state = Locked(State())

    init(_ body: @escaping @Sendable (ObserverToken, Notification) -> Void) {
        self.body = body
    }

    /// Sets the token; called once, before registration.
    func fill(_ token: ObserverToken) {
        state.withLock { $0.token = token }
    }

    /// Passes on a notification, unless the token has been removed.
    func receive(_ notification: Notification) {
        guard let token = state.withLock({ $0.token }), token.isInForce else { return }
        body(token, notification)
    }
}
