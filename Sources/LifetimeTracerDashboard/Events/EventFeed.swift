import LifetimeTracer

/// Wakes the open event streams when a tick or a verdict is ready.
///
/// The feed observes the registry for as long as the feed lives. It renders each tick once for all streams, and only
/// while a stream is open. A stream stores only its position.
final class EventFeed: Sendable {
    /// The latest tick.
    struct Tick: Sendable {
        /// The number of the tick; rises with every tick.
        let number: UInt64
        /// The tick as a server-sent event, in bytes.
        let frame: [UInt8]
    }

    private struct State: LockedState {
        var wakes: [UInt64: Action] = [:]
        var lastStream: UInt64 = 0
        var tick = Tick(number: 0, frame: [])
        var newestVerdict: UInt64 = 0
        var observations: Observations?
    }

    private struct Observations: Sendable {
        let samples: UInt64
        let verdicts: VerdictObservation
    }

    let context: DashboardContext
    private let state = Locked(State())

    /// Creates a feed and starts to observe the registry.
    init(_ context: DashboardContext) {
        self.context = context
        let samples = context.registry.observeSamples { [weak self] in self?.sampleTaken() }
        let verdicts = context.registry.observeVerdicts(
            .closure { [weak self] verdict in self?.verdictReached(verdict.id) })
        let newest = context.registry.verdicts().last?.id ?? 0
        state.withLock { state in
            state.observations = Observations(samples: samples, verdicts: verdicts)
            state.newestVerdict = max(state.newestVerdict, newest)
        }
    }

    deinit {
        guard let observations = state.withLock({ $0.observations }) else { return }
        context.registry.stopObservingSamples(observations.samples)
        observations.verdicts.remove()
    }

    /// The latest tick.
    var tick: Tick { state.withLock { $0.tick } }

    /// The id of the newest verdict.
    var newestVerdict: UInt64 { state.withLock { $0.newestVerdict } }

    /// The number of open streams.
    var streamCount: Int { state.withLock { $0.wakes.count } }

    /// Registers a stream: `wake` is called whenever a tick or a verdict is ready, until the stream is closed.
    ///
    /// - Returns: The key for ``close(_:)``.
    func open(_ wake: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.lastStream += 1
            state.wakes[state.lastStream] = Action(wake)
            return state.lastStream
        }
    }

    /// Ends the registration of a stream.
    func close(_ stream: UInt64) {
        state.withLock { $0.wakes[stream] = nil }
    }

    private func sampleTaken() {
        guard streamCount > 0 else { return }
        let frame = EventFrame.event("tick", WireTick(context))
        state.withLock { $0.tick = Tick(number: $0.tick.number + 1, frame: frame) }
        wakeAll()
    }

    private func verdictReached(_ id: UInt64) {
        state.withLock { $0.newestVerdict = max($0.newestVerdict, id) }
        wakeAll()
    }

    private func wakeAll() {
        let wakes = state.withLock { Array($0.wakes.values) }
        for wake in wakes { wake() }
    }
}
