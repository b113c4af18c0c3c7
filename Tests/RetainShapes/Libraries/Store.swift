/// A subscription to a store's states.
///
/// It references its subscriber weakly, as in the libraries that it imitates.
final class StoreSubscription<State> {
    weak var subscriber: AnyObject?
    let receive: (State) -> Void

    init(_ subscriber: AnyObject?, _ receive: @escaping (State) -> Void) {
        self.subscriber = subscriber
        self.receive = receive
    }
}

/// A state that only actions change, like the store of a unidirectional architecture.
public final class Store<State, Action> {
    private var state: State
    private let reduce: (Action, State) -> State
    private var subscriptions: [StoreSubscription<State>] = []
    private var dispatchFunction: (Action) -> Void = { _ in }

    /// Creates a store whose middleware wraps the dispatch of each action.
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

    /// Dispatches an action, which changes the state.
    public func dispatch(_ action: Action) { dispatchFunction(action) }

    /// Subscribes a closure to new states.
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
