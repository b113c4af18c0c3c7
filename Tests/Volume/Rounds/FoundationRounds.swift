import Foundation
import LifetimeTracer
import LifetimeTracerFoundation

@MainActor let foundationRounds: [any Rounds.Type] = [
    NotificationDeliveries.self, NotificationDeliveriesOnMainActor.self, NotificationTokenLives.self,
    RecordedObserverLives.self, TimerFirings.self, TimerLives.self, DispatchTimerFirings.self, DispatchTimerLives.self,
    Requests.self,
]

private let happened = NotificationDescriptor<Void>(name: Notification.Name("volume"))

private final class NotificationDeliveries: Rounds {
    static let name = "notification token: notifications posted"

    private let center = NotificationCenter()
    private let token: ObserverToken
    private let calls = Tally()

    init() {
        token = center.addObserver(with: happened) { [calls] _ in calls.add() }
    }

    func run(_ rounds: Int) throws {
        let before = calls.count
        for _ in 0..<rounds { center.post(name: happened.name, object: nil) }
        try require(calls.count - before == rounds, "\(calls.count - before) deliveries in \(rounds) rounds")
        try require(token.isInForce, "the token was removed")
    }
}

private final class NotificationDeliveriesOnMainActor: Rounds {
    static let name = "notification token: notifications posted to the main actor"

    private let center = NotificationCenter()
    private let token: ObserverToken
    private let calls = Tally()

    init() {
        token = center.addObserver(with: happened, onMainActor: { [calls] _ in calls.add() })
    }

    func run(_ rounds: Int) throws {
        let before = calls.count
        for _ in 0..<rounds { center.post(name: happened.name, object: nil) }
        try require(calls.count - before == rounds, "\(calls.count - before) deliveries in \(rounds) rounds")
        try require(token.isInForce, "the token was removed")
    }
}

private final class NotificationTokenLives: Rounds {
    static let name = "notification token: made and let go"

    private let center = NotificationCenter()
    private let calls = Tally()

    func run(_ rounds: Int) throws {
        for _ in 0..<rounds { _ = center.addObserver(with: happened) { [calls] _ in calls.add() } }
        center.post(name: happened.name, object: nil)
        try require(calls.count == 0, "an observer is left")
    }
}

private final class RecordedObserverLives: Rounds {
    static let name = "traced notification centre: observers added, notified and removed"

    private let center = TracedNotificationCenter()
    private let calls = Tally()

    func run(_ rounds: Int) throws {
        let before = calls.count
        for _ in 0..<rounds {
            let observer = center.addObserver(forName: happened.name, object: nil, queue: nil) { [calls] _ in
                calls.add()
            }
            center.post(name: happened.name, object: nil)
            center.removeObserver(observer)
        }
        try require(calls.count - before == rounds, "\(calls.count - before) deliveries in \(rounds) rounds")
    }
}

private final class TimerFirings: Rounds {
    static let name = "timer token: firings on a run loop"

    /// Each pass of Foundation's run loop leaks about 200 bytes, even without the tracer.
    ///
    /// Therefore each pass fires many timers.
    private static let timerCount = 3_000

    private var tokens: [ObserverToken] = []
    private let calls = Tally()

    init() {
        for _ in 0..<Self.timerCount {
            tokens.append(
                Timer.scheduledToken(after: .milliseconds(1), every: .milliseconds(1), event: "volume") {
                    [calls] in calls.add()
                }
            )
        }
    }

    func run(_ rounds: Int) throws {
        let goal = calls.count + rounds
        while calls.count < goal {
            let hasRun = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
            try require(hasRun, "the run loop has no timer")
        }
    }
}

/// The number of timers in a batch, so that one pass of the run loop fires many.
private let timerCount = 300

private final class TimerLives: Rounds {
    static let name = "timer token: made, fired once and gone"
    static let count = RoundCount.fewer(30_000, because: "outside Darwin, Foundation frees no timer: 385 bytes a round")
    static let control: (any Rounds.Type)? = PlainTimerLives.self

    func run(_ rounds: Int) throws {
        var tokens: [ObserverToken] = []
        runTimers(rounds) { calls in
            let token = Timer.scheduledToken(after: .zero, event: "volume") { calls.add() }
            tokens.append(token)
            // All of these timers have fired, because a batch runs before the next begins.
            if tokens.count == 2 * timerCount { tokens.removeFirst(timerCount) }
        }
    }
}

/// The same with Foundation's own timers, as a control.
private final class PlainTimerLives: Rounds {
    static let name = "timer: made, fired once and gone"

    func run(_ rounds: Int) {
        runTimers(rounds) { calls in
            RunLoop.current.add(Timer(timeInterval: 0, repeats: false) { _ in calls.add() }, forMode: .common)
        }
    }
}

/// Creates as many timers as there are rounds, in batches, and runs the run loop until all have fired.
@MainActor private func runTimers(_ rounds: Int, _ make: (Tally) -> Void) {
    let calls = Tally()
    var made = 0
    while made < rounds {
        make(calls)
        made += 1
        guard made.isMultiple(of: timerCount) || made == rounds else { continue }
        while calls.count < made {
            // Foundation may miss a timer that is due just now, and then sleeps until this date.
            _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.002))
        }
    }
}

private final class DispatchTimerFirings: Rounds {
    static let name = "timer token: firings on a dispatch queue"
    static let libraryCaches = dispatchCaches

    private var tokens: [ObserverToken] = []
    private let queue = DispatchQueue(label: "volume")
    private let calls = Tally()

    init() {
        for _ in 0..<timerCount {
            tokens.append(
                DispatchSource.timerToken(
                    after: .zero, every: .milliseconds(1), event: "volume", on: queue
                ) { [calls] in calls.add() })
        }
    }

    func run(_ rounds: Int) {
        let goal = calls.count + rounds
        while calls.count < goal { usleep(1000) }
    }
}

private final class DispatchTimerLives: Rounds {
    static let name = "timer token: made for a dispatch queue, fired once and gone"
    static let libraryCaches = dispatchCaches

    private let queue = DispatchQueue(label: "volume")

    func run(_ rounds: Int) {
        let fired = DispatchSemaphore(value: 0)
        var begun = 0
        while begun < rounds {
            var tokens: [ObserverToken] = []
            let batch = min(timerCount, rounds - begun)
            for _ in 0..<batch {
                tokens.append(DispatchSource.timerToken(after: .zero, event: "volume", on: queue) { fired.signal() })
            }
            begun += batch
            for _ in 0..<batch { fired.wait() }
        }
        // A handler that has signalled may still be running.
        queue.sync {}
    }
}
