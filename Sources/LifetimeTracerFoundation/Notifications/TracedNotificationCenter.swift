public import Foundation
import LifetimeTracer

/// A notification centre that records each observer, also those that are registered without a descriptor.
///
/// Use one in place of a centre of the program's own. An observer that is registered with
/// `addObserver(forName:object:queue:using:)` stays in force until it is removed, as in any centre, and is recorded for nobody
/// in particular in ``LifetimeRegistry/current``; its removal is recorded however it comes about, by `removeObserver` or with the
/// centre. One that is registered with a ``NotificationDescriptor`` is recorded once, by its own token.
///
/// Outside Darwin, Foundation's method cannot be overridden: there, an untyped registration is recorded where the call sees
/// this class, not `NotificationCenter`, and where the sender is an object or `nil`. Observers of typed messages,
/// `addObserver(of:for:using:)`, are not recorded.
///
/// `@unchecked Sendable` is safe because the superclass is and nothing is stored here.
open class TracedNotificationCenter: NotificationCenter, @unchecked Sendable {
    #if canImport(Darwin)
    open override func addObserver(
        forName name: NSNotification.Name?, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        addRecorded(forName: name, object: object, queue: queue, using: block)
    }
    #else
    /// Registers an observer that stays in force until it is removed, and records it.
    ///
    /// - Parameters:
    ///   - name: Which notification; `nil` for all.
    ///   - object: Only notifications of this sender; `nil` for those of any.
    ///   - queue: Where to call the closure; `nil` for the thread that posts, before `post` returns.
    ///   - block: Called with each notification; each call is counted.
    /// - Returns: What to pass to `removeObserver`.
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
        // Held by the closure and by nobody else: it goes, and its removal is recorded, when the centre lets go of the
        // closure. Removing an observer the other way about, by its token, is not possible here, so that does nothing.
        // No site: an overriding method cannot ask for its caller's.
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
