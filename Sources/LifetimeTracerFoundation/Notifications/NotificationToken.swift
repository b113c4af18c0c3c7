public import Foundation
public import LifetimeTracer

/// An observer in a notification centre, in force until it is removed or this token is released.
///
/// The registry records it as an ``ObserverToken`` of kind ``TokenKind/notification``, with the notification's name as
/// its event. It can be used from any thread.
public final class NotificationToken: Sendable {
    /// The name of the observed notification.
    public let name: Notification.Name
    /// The registration in the registry; retaining it keeps the observer in force.
    public let observerToken: ObserverToken

    init(name: Notification.Name, observerToken: ObserverToken) {
        self.name = name
        self.observerToken = observerToken
    }

    /// Whether the observer is registered.
    public var isInForce: Bool { observerToken.isInForce }

    /// Removes the observer; further calls do nothing.
    ///
    /// A notification whose delivery is in progress may still arrive.
    public func remove() {
        observerToken.remove()
    }

    /// Puts the registration into a bag, which holds it from then on, even if this token is released.
    public func store(in bag: CancellationBag) {
        bag.insert(observerToken)
    }
}
