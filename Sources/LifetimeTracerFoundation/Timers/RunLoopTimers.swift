public import Foundation
public import LifetimeTracer

extension Timer {
    /// Schedules a timer on a run loop, for as long as the returned token is kept.
    ///
    /// It is recorded as a token of kind ``TokenKind/timer``; each firing is counted. Removing the token, from any thread,
    /// invalidates the timer, and no firing begins after that; one that is under way on another thread still ends. The token
    /// of a timer that does not repeat ends when it has fired.
    ///
    /// - Parameters:
    ///   - interval: Seconds to the first firing and between firings. What is negative or no number counts as 0, more
    ///     than a year as a year of 365 days. Between firings less than a millisecond counts as one.
    ///   - repeats: Whether it fires again and again.
    ///   - event: What it is for, in a name for people.
    ///   - owner: For whom; only its id is kept.
    ///   - runLoop: The run loop, of this thread or another.
    ///   - mode: The mode in which it fires.
    ///   - registry: Where to record it; by default the owner's registry, else ``LifetimeRegistry/current``.
    ///   - file: The registration site.
    ///   - line: The registration site's line.
    ///   - body: Called on the run loop's thread.
    public static func scheduledToken(
        withTimeInterval interval: TimeInterval, repeats: Bool, event: String, owner: TokenOwner = .nobody,
        on runLoop: RunLoop = .current, forMode mode: RunLoop.Mode = .common, registry: LifetimeRegistry? = nil,
        file: StaticString = #fileID, line: UInt32 = #line, _ body: @escaping @Sendable () -> Void
    ) -> ObserverToken {
        let fired = FiringToken(isOneShot: !repeats, body)
        // A run loop traps on a date that is none.
        let interval = interval.isNaN ? 0 : min(max(interval, 0), 365 * 86_400)
        let first = Date(timeIntervalSinceNow: interval)
        // Captures nothing, because outside Darwin a timer is never freed, nor is what its closure has captured.
        let timer = Timer(fire: first, interval: max(interval, 0.001), repeats: repeats) { timer in
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
}

/// A timer on its way to whichever thread removes its token.
///
/// `@unchecked Sendable` is safe because the timer is only invalidated, and the run loop's timers lock themselves for that.
private struct ScheduledTimer: @unchecked Sendable {
    let timer: Timer
}

/// What the timers in force call.
///
/// A timer stays in the table until its token is removed, and its token holds it until then, so that no other timer can have its
/// address meanwhile.
private enum ScheduledTimers {
    private static let tokens = Locked<[ObjectIdentifier: FiringToken]>([:])

    static func add(_ timer: Timer, _ token: FiringToken) {
        tokens.withLock { $0[ObjectIdentifier(timer)] = token }
    }

    static func token(of timer: Timer) -> FiringToken? {
        tokens.withLock { $0[ObjectIdentifier(timer)] }
    }

    static func remove(_ timer: Timer) {
        // Leaves the lock with this result, so that nothing is released under it.
        _ = tokens.withLock { $0.removeValue(forKey: ObjectIdentifier(timer)) }
    }
}
