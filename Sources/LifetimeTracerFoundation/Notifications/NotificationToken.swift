public import Foundation
public import LifetimeTracer

/// One observer in a notification centre, in force until it is removed or this token goes.
///
/// It appears in the registry as an ``ObserverToken`` of kind ``TokenKind/notification``, with the notification's name as its
/// event. It can be used from any thread.
public final class NotificationToken: Sendable {
    /// The name of the notification that is observed.
    public let name: Notification.Name
    /// The registration as the registry has it; whoever keeps this keeps the observer.
    public let observerToken: ObserverToken

    init(name: Notification.Name, observerToken: ObserverToken) {
        self.name = name
        self.observerToken = observerToken
    }

    /// Whether the observer is registered.
    public var isInForce: Bool { observerToken.isInForce }

    /// Removes the observer; further calls do nothing.
    ///
    /// A notification that is being delivered may still arrive.
    public func remove() {
        observerToken.remove()
    }

    /// Puts the registration into a bag, which holds it from now on, whether or not this token is kept.
    public func store(in bag: CancellationBag) {
        bag.insert(observerToken)
    }
}
