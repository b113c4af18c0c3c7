import LifetimeTracer

/// A stream of server-sent events to one client: `hello`, the missed verdicts, a tick, then ticks and verdicts as they
/// occur.
///
/// The stream stores only its position, so a slow reader costs no memory: it gets the latest tick and the verdicts that
/// the registry still keeps.
final class EventStream: ResponseStream {
    /// The number of past verdicts for a client that sends no `Last-Event-ID`.
    static let usualBacklog = 50
    /// The most verdicts in one chunk.
    private static let chunkLimit = 100

    private enum Stage: Sendable {
        case greeting
        case backlog
        case firstTick
        case live
    }

    private struct State: LockedState {
        var stage = Stage.greeting
        /// The id of the last verdict that was sent to the client.
        var lastVerdict: UInt64
        /// The number of the last tick that was sent to the client.
        var lastTick: UInt64 = 0
        var registration: UInt64?
    }

    private let feed: EventFeed
    private let programRoutes: [String]
    private let state: Locked<State>

    /// Creates a stream.
    ///
    /// - Parameters:
    ///   - lastEventID: The value of `Last-Event-ID`. A value that is not the id of a verdict counts as absent.
    ///   - programRoutes: The paths of the program's own routes.
    init(_ feed: EventFeed, lastEventID: String?, programRoutes: [String]) {
        self.feed = feed
        self.programRoutes = programRoutes
        let newest = feed.newestVerdict
        // An id above the newest verdict comes from an earlier process.
        let known = lastEventID.flatMap(Self.id).flatMap { $0 <= newest ? $0 : nil }
        state = Locked(State(lastVerdict: known ?? newest - min(newest, UInt64(Self.usualBacklog))))
    }

    func start(wake: @escaping @Sendable () -> Void) {
        let registration = feed.open(wake)
        state.withLock { $0.registration = registration }
    }

    func read() -> StreamChunk {
        // The server's calls never overlap, so the stage cannot change between reading it and advancing it.
        switch state.withLock({ $0.stage }) {
        case .greeting:
            advance(to: .backlog)
            let hello = WireHello(feed.context, programRoutes: programRoutes)
            return .bytes(EventFrame.comment("LifetimeTracer") + EventFrame.event("hello", hello))
        case .backlog:
            if let verdicts = missedVerdicts() { return .bytes(verdicts) }
            advance(to: .firstTick)
            return read()
        case .firstTick:
            let number = feed.tick.number
            state.withLock { state in
                state.stage = .live
                state.lastTick = number
            }
            // Rendered for this client: the shared tick may date from the time when a stream was last open.
            return .bytes(EventFrame.event("tick", WireTick(feed.context)))
        case .live:
            if let verdicts = missedVerdicts() { return .bytes(verdicts) }
            if let tick = newTick() { return .bytes(tick) }
            return .wait
        }
    }

    func closed(_ reason: StreamEnd) {
        let registration = state.withLock { state in
            defer { state.registration = nil }
            return state.registration
        }
        if let registration { feed.close(registration) }
    }

    private func advance(to stage: Stage) {
        state.withLock { $0.stage = stage }
    }

    private func missedVerdicts() -> [UInt8]? {
        let last = state.withLock { $0.lastVerdict }
        guard feed.newestVerdict > last else { return nil }
        let registry = feed.context.registry
        let missed = registry.verdicts(after: last).prefix(Self.chunkLimit)
        guard let newest = missed.last?.id else { return nil }
        state.withLock { $0.lastVerdict = newest }
        return missed.flatMap { EventFrame.event("verdict", id: $0.id, WireVerdict($0, registry)) }
    }

    private func newTick() -> [UInt8]? {
        let tick = feed.tick
        return state.withLock { state in
            guard tick.number > state.lastTick else { return nil }
            state.lastTick = tick.number
            return tick.frame
        }
    }

    private static func id(_ text: String) -> UInt64? {
        let isNumber = !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isNumber ? UInt64(text) : nil
    }
}
