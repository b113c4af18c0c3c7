import LifetimeTracer

/// The health of the tracer, derived from the self-test and from the state of the tracer's thread.
struct TracerHealth: Sendable {
    /// The overall health.
    enum Status: String, Sendable, CaseIterable {
        /// The self-test passed, the thread is on time, and verdicts are delivered.
        case ok
        /// The self-test passed, but the thread or the delivery of verdicts is stuck or late.
        case degraded
        /// The self-test, which ran at the start, failed.
        case failing
    }

    /// The tolerated delay of the thread or of a delivery.
    ///
    /// A busy machine or a debugger's short stop causes less.
    static let patience = Duration.seconds(10)

    let status: Status
    /// The reasons why the status is not `ok`, one sentence each.
    let reasons: [String]
    let activity: TracerActivity
    let selfTest: SelfTest

    init(_ activity: TracerActivity, _ selfTest: SelfTest) {
        self.activity = activity
        self.selfTest = selfTest
        let failed = selfTest.checks.filter { !$0.passed }.map {
            "The self-test at startup failed its check: \($0.name)."
        }
        let late = Self.delays(in: activity)
        reasons = failed + late
        status = !selfTest.passed ? .failing : late.isEmpty ? .ok : .degraded
    }

    /// The HTTP status.
    ///
    /// Any status but `ok` gives 503, for monitors that look at the HTTP status only.
    var httpStatus: Int { status == .ok ? 200 : 503 }

    private static func delays(in activity: TracerActivity) -> [String] {
        let delivery = activity.delivery
        func isLate(_ since: MonotonicTime?) -> Duration? {
            since.map { activity.at - $0 }.flatMap { $0 > patience ? $0 : nil }
        }
        if let stuck = isLate(delivery.observerSince) {
            let rest = delivery.waiting > 1 ? " \(counted(delivery.waiting - 1)) for the observer." : ""
            return [
                "A verdict observer has not returned for \(stuck.inWords).\(rest) "
                    + "Until the observer returns, no verdict is reached or delivered."
            ]
        }
        var reasons: [String] = []
        if let stuck = isLate(activity.roundSince), delivery.observerSince == nil {
            reasons.append("The tracer's thread has been in one round of work for \(stuck.inWords).")
        } else if activity.roundSince == nil, let late = isLate(activity.due) {
            reasons.append("The tracer's thread is not running: a round of work was due \(late.inWords) ago.")
        }
        if let oldest = isLate(delivery.oldestWaiting) {
            reasons.append(
                "\(counted(delivery.waiting)) for delivery, the oldest for \(oldest.inWords): "
                    + "a verdict observer is slow.")
        }
        return reasons
    }

    private static func counted(_ verdicts: Int) -> String {
        verdicts == 1 ? "1 verdict waits" : "\(verdicts) verdicts wait"
    }
}
