internal import LifetimeTracer
package import RetainShapesLibraries

/// Retain paths through stores and subjects of libraries.
@MainActor package enum StoreShapes {
    package static var store = Store<Int, String>(state: 0) { action, state in state + action.count }
    package static var subject = PublishSubject<Int>()
    package static var behavior: BehaviorSubject<Screen?> = BehaviorSubject(value: nil)
    package static var output = PassthroughSubject<String>()
    package static var subscription: AnyObject?
    package static var owner: AnyObject?

    static let all = [
        storeCapture, ownStore, storeState, middleware, subscribed, ownSubject, mapped, valueOfSubject, sink, ownSink,
        assigned,
    ]

    private static let storeCapture = LibraryShapes.shape(
        "subscriber of a store", .held(.global("StoreShapes.store"), .closure("storeCapture")).giving("storeCapture")
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        store.subscribe { screen.taps += $0 + number }
        return Planted(screen) { store.unsubscribeAll() }
    }

    private static let ownStore = LibraryShapes.shape(
        "store in a property of its subscriber",
        .cycle(.object("Model"), .through("store"), .closure("Model.follow")).giving("Model.follow")
    ) {
        let model = Model()
        model.follow()
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.store.unsubscribeAll() }
    }

    private static let storeState = LibraryShapes.shape(
        "state of a store in a property",
        .held(.global("StoreShapes.owner"), .object("ScreenModel")).giving("ScreenModel")
    ) {
        let screen = DetailScreen()
        owner = ScreenModel(screen)
        return Planted(screen) { owner = nil }
    }

    private static let middleware = LibraryShapes.shape(
        "middleware of a store", .held(.global("StoreShapes.owner"), .closure("middleware")).giving("middleware")
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        owner = Store<Int, String>(
            state: 0,
            middleware: [
                { next in
                    { action in
                        screen.taps += number
                        next(action)
                    }
                }
            ]
        ) { action, state in state + action.count }
        return Planted(screen) { owner = nil }
    }

    private static let subscribed = LibraryShapes.shape(
        "subscriber of a subject", .held(.global("StoreShapes.subject"), .closure("subscribed")).giving("subscribed"),
        using: "StoreShapes.subscription"
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        let disposable = subject.subscribe { screen.taps += $0 + number }
        subscription = disposable
        return Planted(screen) {
            (subscription as? any Disposable)?.dispose()
            subscription = nil
        }
    }

    private static let ownSubject = LibraryShapes.shape(
        "subject in a property of its subscriber",
        .cycle(.object("Model"), .through("subject"), .closure("Model.listen")).giving("Model.listen")
    ) {
        let model = Model()
        model.listen()
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.endListening() }
    }

    private static let mapped = LibraryShapes.shape(
        "function that maps a subject", .held(.global("StoreShapes.subject"), .closure("mapped")).giving("mapped"),
        using: "StoreShapes.subscription"
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        subscription = subject.map { screen.title + "\($0 + number)" }.subscribe { _ in }
        return Planted(screen) {
            (subscription as? any Disposable)?.dispose()
            subscription = nil
        }
    }

    private static let valueOfSubject = LibraryShapes.shape(
        "value of a subject", .held(.global("StoreShapes.behavior"), .object("BehaviorSubject")).giving("behavior")
    ) {
        let screen = DetailScreen()
        behavior.onNext(screen)
        return Planted(screen) { behavior.onNext(nil) }
    }

    private static let sink = LibraryShapes.shape(
        "sink of a subject", .held(.global("StoreShapes.output"), .closure("sink")).giving("sink"),
        using: "StoreShapes.subscription"
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        subscription = output.sink { screen.title = $0 + "\(number)" }
        return Planted(screen) { subscription = nil }
    }

    private static let ownSink = LibraryShapes.shape(
        "sink with the subject in a property",
        .cycle(.object("Model"), .through("output"), .closure("Model.receive")).giving("Model.receive")
    ) {
        let model = Model()
        model.receive()
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.cancellable = nil }
    }

    private static let assigned = LibraryShapes.shape(
        "assignment to a property", .held(.global("StoreShapes.output")),
        using: "StoreShapes.subscription"
    ) {
        let screen = DetailScreen()
        subscription = output.assign(to: \Screen.title, on: screen)
        return Planted(screen) { subscription = nil }
    }
}

private final class ScreenModel {
    let store: Store<[Screen], Int>

    init(_ screen: Screen) { store = Store(state: [screen]) { _, state in state } }
}

/// A model of the program that uses a store and subjects.
private final class Model: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the planting thread uses the model.
    let store = Store<Int, Int>(state: 0) { action, state in action + state }
    let subject = PublishSubject<Int>()
    let output = PassthroughSubject<Int>()
    var cancellable: AnyCancellable?
    private var disposable: (any Disposable)?
    private var count = 0

    func follow() { store.subscribe { self.count += $0 } }

    func listen() {
        let step = count + 1
        disposable = subject.subscribe { self.count += $0 + step }
    }

    func endListening() { disposable?.dispose() }

    func receive() {
        let step = count + 1
        cancellable = output.sink { self.count += $0 + step }
    }
}
