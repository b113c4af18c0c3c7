import LifetimeTracer

/// A one-time signal that tests await.
///
/// Once it has been given, all waiting tasks continue.
final class Signal: Sendable {
    private struct State: LockedState {
        var hasHappened = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    var hasHappened: Bool { state.withLock { $0.hasHappened } }

    func fire() {
        let waiting = state.withLock { state in
            state.hasHappened = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func wait() async {
        await withCheckedContinuation { continuation in
            let hasHappened = state.withLock { state in
                if !state.hasHappened { state.waiting.append(continuation) }
                return state.hasHappened
            }
            if hasHappened { continuation.resume() }
        }
    }
}

/// A counter for closures.
final class Counter: Sendable {
    private let state = Locked(0)

    var value: Int { state.withLock { $0 } }

    func add() {
        state.withLock { $0 += 1 }
    }
}
