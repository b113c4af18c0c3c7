public import Dispatch
public import LifetimeTracer

extension DispatchSource {
    /// Starts a timer on a queue, for as long as the returned token is retained or kept.
    ///
    /// The timer is recorded as a token of kind `TokenKind.timer`, and each firing is counted. Removing the token
    /// cancels the timer. No firing begins after that; one that is in progress on another thread still completes. The
    /// token of a one-shot timer ends when the timer has fired.
    ///
    /// - Parameters:
    ///   - delay: The time until the first firing. A negative delay counts as 0, and one over 292 years as 292 years.
    ///   - interval: The time between firings; `nil` for a one-shot timer. Less than a millisecond counts as a
    ///     millisecond, so that a mistake does not keep a processor busy.
    ///   - event: The human-readable purpose of the timer.
    ///   - owner: The owner of the timer, often `self`; only its id is kept.
    ///   - queue: The queue on which the closure is called.
    ///   - registry: The registry that records the timer; by default the owner's registry, or else
    ///     `LifetimeRegistry.current`.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - body: Called on the queue.
    public static func timerToken(
        after delay: Duration, every interval: Duration? = nil, event: String,
        owner: (any Traced)? = nil, on queue: DispatchQueue = .global(), registry: LifetimeRegistry? = nil,
        file: StaticString = #fileID, line: Int = #line, _ body: @escaping @Sendable () -> Void
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

/// Carries a timer to the thread that removes its token.
///
/// `@unchecked Sendable` is safe because the source is only cancelled, which libdispatch allows on any thread.
private struct RunningTimer: @unchecked Sendable {
    let source: any DispatchSourceTimer
}

extension Duration {
    /// The duration for libdispatch, clamped to 0 through some 292 years.
    fileprivate var dispatchInterval: DispatchTimeInterval {
        .nanoseconds(Int(max(0, wholeNanoseconds)))
    }
}
