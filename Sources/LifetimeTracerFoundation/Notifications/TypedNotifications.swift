public import Foundation
public import LifetimeTracer

extension NotificationCenter {
    /// Observes a notification with a typed payload, for as long as the returned token is retained or kept.
    ///
    /// The registry records it as a token of kind `TokenKind.notification`, with the notification's name as its
    /// event.
    ///
    /// The centre retains the closure, and the closure its captures. If the closure strongly captures the object that
    /// holds the token, the object and the token retain each other forever. Capture the object weakly.
    ///
    /// - Parameters:
    ///   - descriptor: The notification, and how to read its payload.
    ///   - owner: The owner of the registration, often `self`; only its id is kept.
    ///   - object: The sender whose notifications are observed; `nil` for any sender.
    ///   - queue: The queue on which the closure is called; `nil` for the posting thread, before `post` returns.
    ///   - registry: The registry that records the registration; by default the owner's registry, or else
    ///     `LifetimeRegistry.current`.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - body: Called with each payload; each call is counted.
    /// - Returns: The token, which does not retain the centre. A notification whose delivery is in progress when the
    ///   token is removed may still arrive.
    public func addObserver<Payload>(
        with descriptor: NotificationDescriptor<Payload>, owner: (any Traced)? = nil, object: Any? = nil,
        queue: OperationQueue? = nil, registry: LifetimeRegistry? = nil,
        file: StaticString = #fileID, line: Int = #line, _ body: @escaping @Sendable (Payload) -> Void
    ) -> ObserverToken {
        let receiver = NotificationReceiver { token, notification in
            guard let payload = descriptor.payload(notification) else { return }
            token.recordDelivery()
            body(payload)
        }
        return register(
            receiver, for: descriptor.name, owner: owner, object: object, queue: queue, registry: registry, file: file,
            line: line)
    }

    /// Observes a notification on the main actor, with a closure that may capture main-actor state such as a screen.
    ///
    /// The observer is in force for as long as the returned token is retained or kept. If the main actor posts, the
    /// closure is called before `post` returns. Otherwise it is called later on the main
    /// queue, unless the token has been removed by then.
    ///
    /// - Parameters:
    ///   - descriptor: The notification, and how to read its payload.
    ///   - owner: The owner of the registration, often `self`; only its id is kept.
    ///   - object: The sender whose notifications are observed; `nil` for any sender.
    ///   - registry: The registry that records the registration; by default the owner's registry, or else
    ///     `LifetimeRegistry.current`.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - body: Called with each payload; each call is counted.
    /// - Returns: The token, which does not retain the centre. A notification whose delivery is in progress when the
    ///   token is removed may still arrive.
    public func addObserver<Payload: Sendable>(
        with descriptor: NotificationDescriptor<Payload>, owner: (any Traced)? = nil, object: Any? = nil,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: Int = #line,
        onMainActor body: @escaping @MainActor (Payload) -> Void
    ) -> ObserverToken {
        let receiver = NotificationReceiver { token, notification in
            guard let payload = descriptor.payload(notification) else { return }
            // A weak capture, so that a released token ends now and not only after the queued call.
            MainQueue.run { [weak token] in
                // Checked again, because the token may have been removed meanwhile.
                guard let token, token.isInForce else { return }
                token.recordDelivery()
                body(payload)
            }
        }
        return register(
            receiver, for: descriptor.name, owner: owner, object: object, queue: nil, registry: registry, file: file,
            line: line)
    }

    /// Registers a receiver with a token that removes it.
    private func register(
        _ receiver: NotificationReceiver, for name: Notification.Name, owner: (any Traced)?, object: Any?,
        queue: OperationQueue?, registry: LifetimeRegistry?, file: StaticString, line: Int
    ) -> ObserverToken {
        let registration = CenterRegistration(center: self, receiver: receiver)
        let token = ObserverToken(
            .notification, event: name.rawValue, owner: owner, registry: registry, file: file, line: line
        ) {
            registration.end()
        }
        receiver.fill(token)
        let observer = addUnrecordedObserver(forName: name, object: object, queue: queue) { receiver.receive($0) }
        registration.begin(with: observer)
        return token
    }

    /// Registers an observer without the record that a ``TracedNotificationCenter`` adds by itself.
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
