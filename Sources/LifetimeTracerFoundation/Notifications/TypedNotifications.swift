public import Foundation
public import LifetimeTracer

extension NotificationCenter {
    /// Observes a notification with a typed payload, for as long as the returned token is kept.
    ///
    /// The centre holds the closure, and the closure what it captures: a closure that captures the object that keeps the
    /// token keeps that object, and with it the token, for ever. Capture it weakly.
    ///
    /// - Parameters:
    ///   - descriptor: Which notification, and how to read its payload.
    ///   - owner: For whom; only its id is kept.
    ///   - object: Only notifications of this sender; `nil` for those of any.
    ///   - queue: Where to call the closure; `nil` for the thread that posts, before `post` returns.
    ///   - registry: Where to record it; by default the owner's registry, else ``LifetimeRegistry/current``.
    ///   - file: The registration site.
    ///   - line: The registration site's line.
    ///   - body: Called with each payload; each call is counted.
    /// - Returns: The token, which does not keep the centre.
    public func addObserver<Payload>(
        with descriptor: NotificationDescriptor<Payload>, owner: TokenOwner = .nobody, object: Any? = nil,
        queue: OperationQueue? = nil, registry: LifetimeRegistry? = nil,
        file: StaticString = #fileID, line: UInt32 = #line, _ body: @escaping @Sendable (Payload) -> Void
    ) -> NotificationToken {
        let receiver = NotificationReceiver { token, notification in
            guard let payload = descriptor.payload(notification) else { return }
            token.recordDelivery()
            body(payload)
        }
        return register(
            receiver, for: descriptor.name, owner: owner, object: object, queue: queue, registry: registry, file: file,
            line: line)
    }

    /// Observes a notification for something that belongs to the main actor, such as a screen, which the closure may capture.
    ///
    /// The closure is called before `post` returns when the main actor posts, else a moment later on the main queue, unless the
    /// token has been removed by then.
    ///
    /// - Parameters:
    ///   - descriptor: Which notification, and how to read its payload.
    ///   - owner: For whom; only its id is kept.
    ///   - object: Only notifications of this sender; `nil` for those of any.
    ///   - registry: Where to record it; by default the owner's registry, else ``LifetimeRegistry/current``.
    ///   - file: The registration site.
    ///   - line: The registration site's line.
    ///   - body: Called with each payload; each call is counted.
    /// - Returns: The token, which does not keep the centre.
    public func addObserver<Payload: Sendable>(
        with descriptor: NotificationDescriptor<Payload>, owner: TokenOwner = .nobody, object: Any? = nil,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: UInt32 = #line,
        onMainActor body: @escaping @MainActor (Payload) -> Void
    ) -> NotificationToken {
        let receiver = NotificationReceiver { token, notification in
            guard let payload = descriptor.payload(notification) else { return }
            // Weakly, so that a token that nobody keeps goes now, not behind the queue.
            MainQueue.run { [weak token] in
                // Asked again: it may have been removed on the way here.
                guard let token, token.isInForce else { return }
                token.recordDelivery()
                body(payload)
            }
        }
        return register(
            receiver, for: descriptor.name, owner: owner, object: object, queue: nil, registry: registry, file: file,
            line: line)
    }

    /// Registers what is to be called, with a token that removes it.
    private func register(
        _ receiver: NotificationReceiver, for name: Notification.Name, owner: TokenOwner, object: Any?,
        queue: OperationQueue?, registry: LifetimeRegistry?, file: StaticString, line: UInt32
    ) -> NotificationToken {
        let registration = CenterRegistration(center: self, receiver: receiver)
        let token = ObserverToken(
            .notification, event: name.rawValue, owner: owner, registry: registry, file: file, line: line
        ) {
            registration.end()
        }
        receiver.fill(token)
        let observer = addUnrecordedObserver(forName: name, object: object, queue: queue) { receiver.receive($0) }
        registration.begin(with: observer)
        return NotificationToken(name: name, observerToken: token)
    }

    /// Registers an observer without the record that a ``TracedNotificationCenter`` makes by itself.
    private func addUnrecordedObserver(
        forName name: Notification.Name, object: Any?, queue: OperationQueue?,
        using block: @escaping @Sendable (Notification) -> Void
    ) -> any NSObjectProtocol {
        if let traced = self as? TracedNotificationCenter {
            traced.addUnrecorded(forName: name, object: object, queue: queue, using: block)
        } else {
            addObserver(forName: name, object: object, queue: queue, using: block)
        }
    }
}
