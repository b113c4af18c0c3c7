import RetainShapesReactive

/// References through a library of operators: deeply nested generic closures of another module.
@MainActor package enum ReactiveShapes {
    package static var subscription: Subscription?
    package static var subject = Subject<Int>()
    package static var publisher: AnyPublisher<String>?
    package static var anything: Any?

    static let all = [
        receiver, mapped, deep, flatMapped, erased, combined, opaque, assigned, ownSubscription, storedOperator,
        packOperator,
    ]

    static let receiver = Shape(
        "receiver of a subject", .held(.global("ReactiveShapes.subject"), .through("receivers"))
    ) {
        let screen = DetailScreen()
        subscription = subject.subscribe { screen.taps += $0 }
        return Planted(screen) { subscription = nil }
    }

    static let mapped = Shape(
        "function of an operator", .held(.global("ReactiveShapes.subject"), .through("receivers"), .closure("closure"))
    ) {
        let screen = DetailScreen()
        let factor = screen.taps + 2
        subscription = subject.map { $0 * factor + screen.taps }.subscribe { _ in }
        return Planted(screen) { subscription = nil }
    }

    static let deep = Shape(
        "receiver behind five operators",
        .held(.global("ReactiveShapes.subject"), .through("receivers"), .closure("closure"))
    ) {
        let screen = DetailScreen()
        let limit = screen.taps + 9
        subscription =
            subject
            .map { ($0, "\($0)") }
            .filter { $0.0 < limit }
            .map { [$0.1] }
            .filter { !$0.isEmpty }
            .map(\.first)
            .subscribe { screen.title = $0 ?? "\(limit)" }
        return Planted(screen) { subscription = nil }
    }

    static let flatMapped = Shape(
        "flat map", .held(.global("ReactiveShapes.subject"), .through("receivers")).references(2)
    ) {
        let screen = DetailScreen()
        let inner = Subject<String>()
        subscription =
            subject
            .flatMap { [screen] number in inner.map { screen.title + $0 + "\(number)" } }
            .subscribe { _ in }
        subject.send(1)
        return Planted(screen) { subscription = nil }
    }

    static let erased = Shape("erased publisher", .held(.global("ReactiveShapes.publisher"))) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        publisher = subject.filter { $0 > number }.map { screen.title + "\($0)" }.erased()
        return Planted(screen) { publisher = nil }
    }

    static let combined = Shape("combination of three", .held(.global("ReactiveShapes.subject"), .through("receivers")))
    {
        let screen = DetailScreen()
        let number = screen.taps + 1
        subscription = combineLatest(subject, Subject<String>(), subject.map { [$0] })
            .subscribe { combined in screen.taps += combined.values.0 + number }
        return Planted(screen) { subscription = nil }
    }

    static let opaque = Shape(
        "operator of an opaque type", .held(.global("ReactiveShapes.subject"), .through("receivers"))
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        subscription = subject.map { Array(repeating: $0, count: 2) }.elements()
            .subscribe { screen.taps += $0 + number }
        return Planted(screen) { subscription = nil }
    }

    static let assigned = Shape(
        "assignment to a key path", .held(.global("ReactiveShapes.subject"), .through("receivers"))
    ) {
        let screen = DetailScreen()
        subscription = subject.map { "\($0)" }.assign(to: \Screen.title, on: screen)
        return Planted(screen) { subscription = nil }
    }

    static let ownSubscription = Shape(
        "subscription in a property of what it captures",
        .held(.global("ReactiveShapes.subject"), .through("receivers"))
    ) {
        let model = ViewModel()
        model.bind(to: subject)
        let hidden = Hidden(model)
        return Planted(model) { hidden.object.unbind() }
    }

    static let storedOperator = Shape(
        "operator as Any", .held(.global("ReactiveShapes.anything"), .through("transform"))
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        anything = subject.map { $0 + number }.map { screen.title + "\($0)" }
        return Planted(screen) { anything = nil }
    }

    static let packOperator = Shape(
        "combination as Any", .held(.global("ReactiveShapes.anything"), .object("CombineLatest"))
    ) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        anything = combineLatest(subject, Subject<String>(), subject.map { screen.taps + $0 + number })
        return Planted(screen) { anything = nil }
    }
}

private final class ViewModel: Screen, @unchecked Sendable {
    private var subscription: Subscription?

    func bind(to subject: Subject<Int>) {
        subscription = subject.map { $0 + 1 }.subscribe { self.taps += $0 }
    }

    func unbind() {
        subscription?.cancel()
        subscription = nil
    }
}
