public import Dispatch
public import LifetimeTracer

extension DispatchSource {
    /// Starts a timer on a queue, for as long as the returned token is kept.
    ///
    /// It is recorded as a token of kind ``TokenKind/timer``; each firing is counted. Removing the token cancels the timer, and
    /// no firing begins after that; one that is under way on another thread still ends. The token of a timer that does not
    /// repeat ends when it has fired.
    ///
    /// - Parameters:
    ///   - delay: How long to the first firing; a negative one counts as none, one over 292 years as that long.
    ///   - interval: How long between firings; `nil` for one that fires once. Less than a millisecond counts as one, so that a
    ///     mistake does not keep a processor busy.
    ///   - event: What it is for, in a name for people.
    ///   - owner: For whom; only its id is kept.
    ///   - queue: Where to call the closure.
    ///   - registry: Where to record it; by default the owner's registry, else ``LifetimeRegistry/current``.
    ///   - file: The registration site.
    ///   - line: The registration site's line.
    ///   - body: Called on the queue.
    public static func timerToken(
        after delay: Duration, every interval: Duration? = nil, event: String,
        owner: TokenOwner = .nobody, on queue: DispatchQueue = .global(), registry: LifetimeRegistry? = nil,
        file: StaticString = #fileID, line: UInt32 = #line, _ body: @escaping @Sendable () -> Void
    ) -> ObserverToken {
        let fired = FiringToken(isOneShot: interval == nil, body)
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.setEventHandler {
            fired.fire()
        }
        source.schedule(
            deadline: .now() + delay.dispatchInterval,
            repeating: interval.map { max($0, .milliseconds(1)).dispatchInterval } ?? .never)
        let running = RunningTimer(source: source)
        let token = ObserverToken(.timer, event: event, owner: owner, registry: registry, file: file, line: line) {
            running.source.cancel()
            fired.end()
        }
        fired.fill(token)
        source.activate()
        return token
    }
}

/// A timer on its way to whichever thread removes its token.
///
/// `@unchecked Sendable` is safe because the source is only cancelled, which libdispatch allows on any thread.
private struct RunningTimer: @unchecked Sendable {
    let source: any DispatchSourceTimer
}

extension Duration {
    /// The same for libdispatch, from 0 to some 292 years.
    fileprivate var dispatchInterval: DispatchTimeInterval {
        .nanoseconds(Int(max(0, wholeNanoseconds)))
    }
}
