/// Who hears of a store's new states; weakly held, as such libraries do it.
final class StoreSubscription<State> {
    weak var subscriber: AnyObject?
    let receive: (State) -> Void

    init(_ subscriber: AnyObject?, _ receive: @escaping (State) -> Void) {
        self.subscriber = subscriber
        self.receive = receive
    }
}

/// A state that only actions change, in the manner of the libraries with one store.
public final class Store<State, Action> {
    private var state: State
    private let reduce: (Action, State) -> State
    private var subscriptions: [StoreSubscription<State>] = []
    private var dispatchFunction: (Action) -> Void = { _ in }

    /// Creates a store with functions around each action.
    public init(
        state: State, middleware: [(@escaping (Action) -> Void) -> (Action) -> Void] = [],
        reduce: @escaping (Action, State) -> State
    ) {
        self.state = state
        self.reduce = reduce
        var next: (Action) -> Void = { [weak self] in self?.change(with: $0) }
        for wrap in middleware.reversed() { next = wrap(next) }
        dispatchFunction = next
    }

    /// The state.
    public var current: State { state }

    /// Changes the state.
    public func dispatch(_ action: Action) { dispatchFunction(action) }

    /// Has a closure hear of new states.
    public func subscribe(_ subscriber: AnyObject? = nil, _ receive: @escaping (State) -> Void) {
        subscriptions.append(StoreSubscription(subscriber, receive))
    }

    /// Ends all subscriptions.
    public func unsubscribeAll() { subscriptions = [] }

    private func change(with action: Action) {
        state = reduce(action, state)
        for subscription in subscriptions { subscription.receive(state) }
    }
}
