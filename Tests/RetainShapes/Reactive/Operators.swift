/// Applies a function to each value.
public final class Map<Upstream: Publisher, Output>: Publisher {
    let upstream: Upstream
    let transform: (Upstream.Output) -> Output

    init(_ upstream: Upstream, _ transform: @escaping (Upstream.Output) -> Output) {
        self.upstream = upstream
        self.transform = transform
    }

    /// Subscribes to the upstream.
    public func subscribe(_ receive: @escaping (Output) -> Void) -> Subscription {
        upstream.subscribe { [transform] in receive(transform($0)) }
    }
}

/// Emits only the values that a predicate accepts.
public struct Filter<Upstream: Publisher>: Publisher {
    let upstream: Upstream
    let isIncluded: (Upstream.Output) -> Bool

    /// Subscribes to the upstream.
    public func subscribe(_ receive: @escaping (Upstream.Output) -> Void) -> Subscription {
        upstream.subscribe { [isIncluded] value in
            if isIncluded(value) { receive(value) }
        }
    }
}

/// Subscribes to a publisher for each value.
public final class FlatMap<Upstream: Publisher, Inner: Publisher>: Publisher {
    let upstream: Upstream
    let transform: (Upstream.Output) -> Inner
    private var running: [Subscription] = []

    init(_ upstream: Upstream, _ transform: @escaping (Upstream.Output) -> Inner) {
        self.upstream = upstream
        self.transform = transform
    }

    /// Subscribes to the upstream and to the publisher of each value.
    public func subscribe(_ receive: @escaping (Inner.Output) -> Void) -> Subscription {
        upstream.subscribe { value in
            self.running.append(self.transform(value).subscribe(receive))
        }
    }
}

/// Emits the latest values of several publishers as one value.
public final class CombineLatest<each Upstream: Publisher>: Publisher {
    private let upstreams: (repeat each Upstream)

    init(_ upstreams: repeat each Upstream) {
        self.upstreams = (repeat each upstreams)
    }

    /// Subscribes to all upstreams.
    public func subscribe(_ receive: @escaping (Combined<repeat (each Upstream).Output>) -> Void) -> Subscription {
        let latest = Latest<repeat (each Upstream).Output>(receive)
        let subscriptions = Subscriptions()
        for upstream in repeat each upstreams {
            subscriptions.all.append(follow(upstream, latest))
        }
        return Subscription { subscriptions.all = [] }
    }

    private func follow<One: Publisher, each Value>(
        _ upstream: One, _ latest: Latest<repeat each Value>
    ) -> Subscription {
        upstream.subscribe { value in latest.last = value }
    }
}

/// The values of several publishers.
public struct Combined<each Value> {
    /// The values.
    public let values: (repeat each Value)
}

/// The latest values of several publishers, and the receiver of their combinations.
final class Latest<each Value> {
    let receive: (Combined<repeat each Value>) -> Void
    var values: (repeat (each Value)?)?
    var last: Any?

    init(_ receive: @escaping (Combined<repeat each Value>) -> Void) { self.receive = receive }
}

final class Subscriptions {
    var all: [Subscription] = []
}

/// Emits the latest values of several publishers as one value.
public func combineLatest<each Upstream: Publisher>(
    _ upstreams: repeat each Upstream
) -> CombineLatest<repeat each Upstream> {
    CombineLatest(repeat each upstreams)
}

extension Publisher {
    /// Applies a function to each value.
    public func map<Mapped>(_ transform: @escaping (Output) -> Mapped) -> Map<Self, Mapped> { Map(self, transform) }

    /// Emits only the values that a predicate accepts.
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Filter<Self> {
        Filter(upstream: self, isIncluded: isIncluded)
    }

    /// Subscribes to a publisher for each value.
    public func flatMap<Inner: Publisher>(_ transform: @escaping (Output) -> Inner) -> FlatMap<Self, Inner> {
        FlatMap(self, transform)
    }

    /// Emits the elements of each value, which is a collection.
    public func elements() -> some Publisher<Output.Element> where Output: Collection {
        flatMap { collection in Sequenced(collection) }
    }

    /// Assigns each value to a property of an object, which the subscription retains.
    public func assign<Root: AnyObject>(to path: ReferenceWritableKeyPath<Root, Output>, on root: Root) -> Subscription
    {
        subscribe { root[keyPath: path] = $0 }
    }

    /// Hides the publisher's type.
    public func erased() -> AnyPublisher<Output> { AnyPublisher(self) }
}

/// Emits the elements of a collection.
final class Sequenced<Base: Collection>: Publisher {
    private let base: Base
    private var pending: ((Base.Element) -> Void)?

    init(_ base: Base) { self.base = base }

    func subscribe(_ receive: @escaping (Base.Element) -> Void) -> Subscription {
        for element in base { receive(element) }
        pending = receive
        return Subscription { self.pending = nil }
    }
}
