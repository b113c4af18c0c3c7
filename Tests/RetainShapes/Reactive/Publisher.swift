/// A source of values, like the publishers of reactive libraries.
///
/// Each operator is a generic class around its upstream.
public protocol Publisher<Output> {
    /// The type of the emitted values.
    associatedtype Output
    /// Calls the receiver with every value until the subscription is cancelled.
    func subscribe(_ receive: @escaping (Output) -> Void) -> Subscription
}

/// An active subscription, which ends with ``cancel()`` or when it is released.
public final class Subscription {
    private var onCancel: (() -> Void)?

    init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    deinit { cancel() }

    /// Ends the subscription.
    public func cancel() {
        onCancel?()
        onCancel = nil
    }
}

/// A publisher whose values come from calls of `send`.
public final class Subject<Output>: Publisher {
    private var receivers: [Int: (Output) -> Void] = [:]
    private var last = 0

    /// Creates a subject without receivers.
    public init() {}

    /// Emits a value.
    public func send(_ value: Output) {
        for receive in receivers.values { receive(value) }
    }

    /// Adds a receiver.
    public func subscribe(_ receive: @escaping (Output) -> Void) -> Subscription {
        last += 1
        receivers[last] = receive
        return Subscription { [weak self, last] in self?.receivers[last] = nil }
    }
}

/// A publisher with a hidden type.
public struct AnyPublisher<Output>: Publisher {
    private let start: (@escaping (Output) -> Void) -> Subscription

    /// Hides a publisher's type.
    public init(_ publisher: some Publisher<Output>) {
        start = { publisher.subscribe($0) }
    }

    /// Subscribes to the hidden publisher.
    public func subscribe(_ receive: @escaping (Output) -> Void) -> Subscription { start(receive) }
}
