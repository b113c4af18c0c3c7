import Foundation
import LifetimeTracer

/// What a centre calls for a typed observer.
///
/// The centre holds it and it holds the closure; it knows the token weakly, because the token is what removes it.
final class NotificationReceiver: Sendable {
    private struct State: LockedState {
        weak var token: ObserverToken?
    }

    private let body: @Sendable (ObserverToken, Notification) -> Void
    private let state = Locked(State())

    init(_ body: @escaping @Sendable (ObserverToken, Notification) -> Void) {
        self.body = body
    }

    /// Says which token it is; called once, before it is registered.
    func fill(_ token: ObserverToken) {
        state.withLock { $0.token = token }
    }

    /// Passes a notification on, unless the token has been removed.
    func receive(_ notification: Notification) {
        guard let token = state.withLock({ $0.token }), token.isInForce else { return }
        body(token, notification)
    }
}
