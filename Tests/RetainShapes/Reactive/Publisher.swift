/// Something that emits values, in the manner of the reactive libraries: every operator is a generic class around its upstream.
public protocol Publisher<Output> {
    /// What it emits.
    associatedtype Output
    /// Calls the receiver with every value until the subscription is cancelled.
    func subscribe(_ receive: @escaping (Output) -> Void) -> Subscription
}

/// A subscription in force, ended by ``cancel()`` or when it goes.
public final class Subscription {
    private var onCancel: (() -> Void)?

    init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    deinit { cancel() }

    /// Ends it.
    public func cancel() {
        onCancel?()
        onCancel = nil
    }
}

/// A publisher that emits what it is sent.
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

/// A publisher of which only the output is known.
public struct AnyPublisher<Output>: Publisher {
    private let start: (@escaping (Output) -> Void) -> Subscription

    /// Hides a publisher's type.
    public init(_ publisher: some Publisher<Output>) {
        start = { publisher.subscribe($0) }
    }

    /// Subscribes to the hidden publisher.
    public func subscribe(_ receive: @escaping (Output) -> Void) -> Subscription { start(receive) }
}
