/// Something that can be ended.
public protocol Disposable: AnyObject {
    /// Ends it.
    func dispose()
}

/// Ends what is in it when it goes.
public final class DisposeBag {
    private var disposables: [any Disposable] = []

    /// Creates an empty bag.
    public init() {}

    deinit { for disposable in disposables { disposable.dispose() } }

    /// Adds something to end.
    public func insert(_ disposable: any Disposable) { disposables.append(disposable) }
}

/// Receives what an observable emits.
public class ObserverBase<Element> {
    /// Receives a value.
    func on(_ element: Element) {}
}

/// Calls a closure with each value.
final class AnonymousObserver<Element>: ObserverBase<Element> {
    private let eventHandler: (Element) -> Void

    init(_ eventHandler: @escaping (Element) -> Void) { self.eventHandler = eventHandler }

    override func on(_ element: Element) { eventHandler(element) }
}

/// Emits values to those who subscribe, in the manner of the libraries of observables.
open class Observable<Element> {
    /// Creates one that emits nothing.
    public init() {}

    /// Has an observer receive the values.
    public func run(_ observer: ObserverBase<Element>) -> any Disposable { NopDisposable() }

    /// Has a closure receive the values.
    public func subscribe(onNext: @escaping (Element) -> Void) -> any Disposable {
        run(AnonymousObserver(onNext))
    }

    /// Applies a function to each value.
    public func map<Result>(_ transform: @escaping (Element) -> Result) -> Observable<Result> {
        MapObservable(source: self, transform: transform)
    }
}

final class NopDisposable: Disposable {
    func dispose() {}
}

private final class MapObservable<Source, Result>: Observable<Result> {
    private let source: Observable<Source>
    private let transform: (Source) -> Result

    init(source: Observable<Source>, transform: @escaping (Source) -> Result) {
        self.source = source
        self.transform = transform
    }

    override func run(_ observer: ObserverBase<Result>) -> any Disposable {
        source.run(MapSink(transform: transform, observer: observer))
    }
}

private final class MapSink<Source, Result>: ObserverBase<Source> {
    private let transform: (Source) -> Result
    private let observer: ObserverBase<Result>

    init(transform: @escaping (Source) -> Result, observer: ObserverBase<Result>) {
        self.transform = transform
        self.observer = observer
    }

    override func on(_ element: Source) { observer.on(transform(element)) }
}

/// The observers of a subject: the first is kept apart from the others, which are rare.
struct Bag<Value> {
    private var nextKey = 0
    private var key0: Int?
    private var value0: Value?
    private var pairs: [(key: Int, value: Value)] = []

    mutating func insert(_ value: Value) -> Int {
        nextKey += 1
        if key0 == nil {
            key0 = nextKey
            value0 = value
        } else {
            pairs.append((nextKey, value))
        }
        return nextKey
    }

    mutating func remove(_ key: Int) {
        if key0 == key {
            key0 = nil
            value0 = nil
        } else {
            pairs.removeAll { $0.key == key }
        }
    }

    var values: [Value] { [value0].compactMap { $0 } + pairs.map(\.value) }
}

/// An observable that emits what it is sent.
public final class PublishSubject<Element>: Observable<Element> {
    private var observers = Bag<ObserverBase<Element>>()

    /// Emits a value.
    public func onNext(_ element: Element) { for observer in observers.values { observer.on(element) } }

    /// Adds an observer.
    public override func run(_ observer: ObserverBase<Element>) -> any Disposable {
        SubscriptionDisposable(owner: self, key: observers.insert(observer))
    }

    fileprivate func remove(_ key: Int) { observers.remove(key) }
}

/// A subject that has a value at all times.
public final class BehaviorSubject<Element>: Observable<Element> {
    private var element: Element
    private var observers = Bag<ObserverBase<Element>>()

    /// Creates one with a value.
    public init(value: Element) { element = value }

    /// Replaces the value, and emits it.
    public func onNext(_ element: Element) {
        self.element = element
        for observer in observers.values { observer.on(element) }
    }

    /// Adds an observer.
    public override func run(_ observer: ObserverBase<Element>) -> any Disposable {
        _ = observers.insert(observer)
        return NopDisposable()
    }
}

private final class SubscriptionDisposable<Element>: Disposable {
    private let key: Int
    private weak var owner: PublishSubject<Element>?

    init(owner: PublishSubject<Element>, key: Int) {
        self.owner = owner
        self.key = key
    }

    func dispose() { owner?.remove(key) }
}

/// A subscription to values that ends when it goes.
public final class AnyCancellable {
    private var onCancel: (() -> Void)?

    init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    deinit { cancel() }

    /// Ends it.
    public func cancel() {
        onCancel?()
        onCancel = nil
    }
}

/// A subject with downstream conduits, in the manner of the libraries of publishers.
public final class PassthroughSubject<Output> {
    private var downstreams: [ObjectIdentifier: Conduit<Output>] = [:]

    /// Creates a subject without receivers.
    public init() {}

    /// Emits a value.
    public func send(_ value: Output) { for conduit in downstreams.values { conduit.receive(value) } }

    /// Has a closure receive the values until the result goes.
    public func sink(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
        let conduit = Conduit(receive)
        let identifier = ObjectIdentifier(conduit)
        downstreams[identifier] = conduit
        return AnyCancellable { [weak self] in self?.downstreams[identifier] = nil }
    }

    /// Writes the values into a property of an object, which it holds.
    public func assign<Root: AnyObject>(to path: ReferenceWritableKeyPath<Root, Output>, on root: Root)
        -> AnyCancellable
    {
        sink { root[keyPath: path] = $0 }
    }
}

final class Conduit<Output> {
    let receive: (Output) -> Void

    init(_ receive: @escaping (Output) -> Void) { self.receive = receive }
}
