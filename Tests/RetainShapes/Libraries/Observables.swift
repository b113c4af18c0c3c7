/// Something that can be disposed of.
public protocol Disposable: AnyObject {
    /// Ends the subscription or other activity.
    func dispose()
}

/// Disposes of its contents when it is released.
public final class DisposeBag {
    private var disposables: [any Disposable] = []

    /// Creates an empty bag.
    public init() {}

    deinit { for disposable in disposables { disposable.dispose() } }

    /// Adds a disposable.
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

/// Emits values to its observers, like the observables of reactive libraries.
open class Observable<Element> {
    /// Creates an observable that emits nothing.
    public init() {}

    /// Subscribes an observer.
    public func run(_ observer: ObserverBase<Element>) -> any Disposable { NopDisposable() }

    /// Subscribes a closure.
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

/// The observers of a subject.
///
/// The first observer is stored inline, because most subjects have only one.
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

/// An observable whose values come from calls of `onNext`.
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

/// A subject that always has a current value.
public final class BehaviorSubject<Element>: Observable<Element> {
    private var element: Element
    private var observers = Bag<ObserverBase<Element>>()

    /// Creates a subject with an initial value.
    public init(value: Element) { element = value }

    /// Replaces the current value and emits it.
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

/// A subscription that is cancelled when it is released.
public final class AnyCancellable {
    private var onCancel: (() -> Void)?

    init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

    deinit { cancel() }

    /// Cancels the subscription.
    public func cancel() {
        onCancel?()
        onCancel = nil
    }
}

/// A subject with downstream conduits, like those of Combine.
public final class PassthroughSubject<Output> {
    private var downstreams: [ObjectIdentifier: Conduit<Output>] = [:]

    /// Creates a subject without receivers.
    public init() {}

    /// Emits a value to all conduits.
    public func send(_ value: Output) { for conduit in downstreams.values { conduit.receive(value) } }

    /// Subscribes a closure until the returned object is released.
    public func sink(_ receive: @escaping (Output) -> Void) -> AnyCancellable {
        let conduit = Conduit(receive)
        let identifier = ObjectIdentifier(conduit)
        downstreams[identifier] = conduit
        return AnyCancellable { [weak self] in self?.downstreams[identifier] = nil }
    }

    /// Assigns each value to a property of an object, which the subscription retains.
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
