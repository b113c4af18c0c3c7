public import Foundation
public import LifetimeTracer

extension Timer {
    /// Schedules a timer on a run loop, for as long as the returned token is retained or kept.
    ///
    /// The timer is recorded as a token of kind `TokenKind.timer`, and each firing is counted. Removing the token, on
    /// any thread, invalidates the timer. No firing begins after that; one that is in progress on another thread still
    /// completes. The token of a one-shot timer ends when the timer has fired.
    ///
    /// - Parameters:
    ///   - delay: The time until the first firing. A negative delay counts as 0, and one over a year as 365 days.
    ///   - interval: The time between firings; `nil` for a one-shot timer. Less than a millisecond counts as a
    ///     millisecond, and more than a year as 365 days.
    ///   - event: The human-readable purpose of the timer.
    ///   - owner: The owner of the timer, often `self`; only its id is kept.
    ///   - runLoop: The run loop, of this thread or another.
    ///   - mode: The mode in which the timer fires.
    ///   - registry: The registry that records the timer; by default the owner's registry, or else
    ///     `LifetimeRegistry.current`.
    ///   - file: The file of the registration site.
    ///   - line: The line of the registration site.
    ///   - body: Called on the run loop's thread.
    public static func scheduledToken(
        after delay: Duration, every interval: Duration? = nil, event: String, owner: (any Traced)? = nil,
        on runLoop: RunLoop = .current, forMode mode: RunLoop.Mode = .common, registry: LifetimeRegistry? = nil,
        file: StaticString = #fileID, line: Int = #line, _ body: @escaping @Sendable () -> Void
    ) -> ObserverToken {
        let fired = FiringToken(isOneShot: interval == nil, body)
        let first = Date(timeIntervalSinceNow: min(max(delay, .zero), longestInterval).inSeconds)
        let repeats = interval.map { min(max($0, .milliseconds(1)), longestInterval).inSeconds }
        // The closure captures nothing, because outside Darwin a timer and its closure's captures are never freed.
        let timer = Timer(fire: first, interval: repeats ?? 0, repeats: repeats != nil) { timer in
            ScheduledTimers.token(of: timer)?.fire()
        }
        let scheduled = ScheduledTimer(timer: timer)
        ScheduledTimers.add(timer, fired)
        let token = ObserverToken(.timer, event: event, owner: owner, registry: registry, file: file, line: line) {
            scheduled.timer.invalidate()
            ScheduledTimers.remove(scheduled.timer)
            fired.end()
        }
        fired.fill(token)
        runLoop.add(timer, forMode: mode)
        return token
    }

    private static let longestInterval = Duration.seconds(365 * 86_400)
}

/// Carries a timer to the thread that removes its token.
///
/// `@unchecked Sendable` is safe because the timer is only invalidated, for which the run loop's timers have a lock of
/// their own.
private struct ScheduledTimer: @unchecked Sendable {
    let timer: Timer
}

/// The receivers of the timers in force.
///
/// A timer stays in the table until its token is removed. The token retains the timer until then, so no other timer can
/// have its address meanwhile.
private enum ScheduledTimers {
    private static let tokens = Locked<[ObjectIdentifier: FiringToken]>([:])

    static func add(_ timer: Timer, _ token: FiringToken) {
        tokens.withLock { $0[ObjectIdentifier(timer)] = token }
    }

    static func token(of timer: Timer) -> FiringToken? {
        tokens.withLock { $0[ObjectIdentifier(timer)] }
    }

    static func remove(_ timer: Timer) {
        // The result carries the removed receiver out of the lock, so that nothing is released under it.
        tokens.removeAndRelease { $0.removeValue(forKey: ObjectIdentifier(timer)) }
    }
}
