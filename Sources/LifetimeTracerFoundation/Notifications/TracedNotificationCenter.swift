public import Foundation
import LifetimeTracer

/// A notification centre that records each observer, including those registered without a descriptor.
///
/// Use one in place of a centre of the program's own. As in any centre, an observer registered with
/// `addObserver(forName:object:queue:using:)` stays in force until it is removed. It is recorded without an owner in
/// `LifetimeRegistry.current`. Its removal is recorded too, whether by `removeObserver` or by the release of the
/// centre. An observer registered with a ``NotificationDescriptor`` is recorded once, by its own token.
///
/// Outside Darwin, Foundation's method cannot be overridden. There, an untyped registration is recorded only if the
/// static type at the call is this class, not `NotificationCenter`, and the sender is an object or `nil`. Observers of
/// typed messages, `addObserver(of:for:using:)`, are not recorded.
///
/// `@unchecked Sendable` is safe because the superclass is `Sendable` and this class stores nothing.
open class TracedNotificationCenter: NotificationCenter, @unchecked Sendable {
    #if canImport(Darwin)
    /// Registers and records an observer, which stays in force until it is removed.
    open override func addObserver(
        forName name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        addRecorded(forName: name, object: object, queue: queue, using: block)
    }
    #else
    /// Registers and records an observer, which stays in force until it is removed.
    ///
    /// - Parameters:
    ///   - name: The name of the notification; `nil` for all.
    ///   - object: The sender whose notifications are observed; `nil` for any sender.
    ///   - queue: The queue on which the closure is called; `nil` for the posting thread, before `post` returns.
    ///   - block: Called with each notification; each call is counted.
    /// - Returns: The observer to pass to `removeObserver`.
    public func addObserver(
        forName name: NSNotification.Name?, object: AnyObject?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        addRecorded(forName: name, object: object, queue: queue, using: block)
    }
    #endif

    /// The event of an observer of all notifications.
    static let anyName = "(any notification)"

    private func addRecorded(
        forName name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        // Only the closure retains the token, so the token is released, and the removal recorded, when the centre
        // releases the closure. The token cannot remove the observer, so its own removal does nothing. The site is
        // unknown, because an overriding method cannot get its caller's.
        let token = ObserverToken(.notification, event: name?.rawValue ?? Self.anyName, file: "", line: 0) {}
        return super.addObserver(forName: name, object: object, queue: queue) { notification in
            token.recordDelivery()
            block(notification)
        }
    }

    /// Registers an observer that has a token of its own.
    final func addUnrecorded(
        forName name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        super.addObserver(forName: name, object: object, queue: queue, using: block)
    }
}
