import LifetimeTracer
import TracerBase

/// The wire type of the tracer's health.
struct WireHealth: JSONObject {
    private let health: TracerHealth
    private let rules: RuleStatus?
    private let clock: WireClock
    private let selfTest: WrittenJSON

    /// - Parameter selfTest: The text of ``text(of:)``.
    init(_ health: TracerHealth, _ rules: RuleStatus?, _ clock: WireClock, selfTest: WrittenJSON) {
        self.health = health
        self.rules = rules
        self.clock = clock
        self.selfTest = selfTest
    }

    /// Returns the JSON of the self-test, which never changes.
    static func text(of selfTest: SelfTest) -> WrittenJSON {
        WrittenJSON(WireSelfTest(selfTest: selfTest))
    }

    static let fields = Field.list {
        Field("status") { $0.health.status }
        Field("reasons") { $0.health.reasons }
        Field("thread") { WireTracerThread(activity: $0.health.activity, clock: $0.clock) }
        Field("delivery") { WireVerdictDelivery(delivery: $0.health.activity.delivery, clock: $0.clock) }
        Field("stripes") { _ in StripeForm.inForce }
        Field("classes") { _ in ClassTracing.current.map(WireClassTracing.init) }
        Field("rules") { $0.rules.map(WireRules.init) }
        Field("selfTest") { WireSelfTest(selfTest: $0.health.selfTest) }
    }

    /// Writes the same as the fields, in less time: monitors request it again and again.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("status", health.status)
            writer.member("reasons", health.reasons)
            writer.member("thread", WireTracerThread(activity: health.activity, clock: clock))
            writer.member("delivery", WireVerdictDelivery(delivery: health.activity.delivery, clock: clock))
            writer.member("stripes", StripeForm.inForce)
            writer.member("classes", ClassTracing.current.map(WireClassTracing.init))
            writer.member("rules", rules.map(WireRules.init))
            writer.member("selfTest", selfTest)
        }
    }
}

extension TracerHealth.Status: JSONChoice {}
extension StripeForm: JSONChoice {}

/// The wire type of the state of the tracer's thread.
private struct WireTracerThread: JSONObject {
    private enum State: String, JSONChoice {
        case notStarted, asleep, working
    }

    let activity: TracerActivity
    let clock: WireClock

    static let fields = Field.list {
        Field("state") { $0.state }
        Field("workingSeconds") { $0.clock.ageIfPast($0.activity.roundSince) }
        Field("lateSeconds") { $0.activity.roundSince == nil ? $0.clock.ageIfPast($0.activity.due) : nil }
        Field("lastRoundAt") { wire in wire.activity.lastRoundAt.map { wire.clock.timestamp($0) } }
        Field("lastRoundAgeSeconds") { $0.clock.ageIfPast($0.activity.lastRoundAt) }
    }

    /// Writes the same as the fields, in less time.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("state", state)
            writer.member("workingSeconds", clock.ageIfPast(activity.roundSince))
            writer.member("lateSeconds", activity.roundSince == nil ? clock.ageIfPast(activity.due) : nil)
            writer.member("lastRoundAt", activity.lastRoundAt.map(clock.timestamp))
            writer.member("lastRoundAgeSeconds", clock.ageIfPast(activity.lastRoundAt))
        }
    }

    private var state: State {
        if activity.roundSince != nil { return .working }
        return activity.lastRoundAt == nil ? .notStarted : .asleep
    }
}

/// The wire type of the state of the delivery of verdicts.
private struct WireVerdictDelivery: JSONObject {
    let delivery: VerdictDelivery
    let clock: WireClock

    static let fields = Field.list {
        Field("waiting", as: .integer(0...)) { $0.delivery.waiting }
        Field("oldestWaitingSeconds") { $0.clock.ageIfPast($0.delivery.oldestWaiting) }
        Field("observerSeconds") { $0.clock.ageIfPast($0.delivery.observerSince) }
        Field("lastAt") { wire in wire.delivery.lastAt.map { wire.clock.timestamp($0) } }
        Field("lastAgeSeconds") { $0.clock.ageIfPast($0.delivery.lastAt) }
        Field("dropped") { $0.delivery.dropped }
    }

    /// Writes the same as the fields, in less time.
    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.member("waiting", delivery.waiting)
            writer.member("oldestWaitingSeconds", clock.ageIfPast(delivery.oldestWaiting))
            writer.member("observerSeconds", clock.ageIfPast(delivery.observerSince))
            writer.member("lastAt", delivery.lastAt.map(clock.timestamp))
            writer.member("lastAgeSeconds", clock.ageIfPast(delivery.lastAt))
            writer.member("dropped", delivery.dropped)
        }
    }
}

/// The wire type of the tracing of classes that were not prepared.
private struct WireClassTracing: JSONObject {
    let tracing: ClassTracing

    static let fields = Field.list {
        Field("traced") { $0.tracing.obstacle == nil }
        Field("reason") { $0.tracing.obstacle }
        Field("images", as: .integer(0...)) { $0.tracing.images }
        Field("refusedImages", as: .integer(0...)) { $0.tracing.refusedImages }
        Field("classes", as: .integer(0...)) { $0.tracing.classes }
        Field("stackInstances", as: .integer(0...)) { $0.tracing.stackInstances }
        Field("unknownDeaths", as: .integer(0...)) { $0.tracing.unknownDeaths }
    }
}

/// The wire type of the self-test.
private struct WireSelfTest: JSONObject {
    let selfTest: SelfTest

    static let fields = Field.list {
        Field("passed") { $0.selfTest.passed }
        Field("ranAt") { Timestamp($0.selfTest.ranAt) }
        Field("milliseconds") { DecimalNumber.milliseconds($0.selfTest.duration) }
        Field("checks") { $0.selfTest.checks.map(WireSelfTestCheck.init) }
    }
}

/// The wire type of one check of the self-test.
private struct WireSelfTestCheck: JSONObject {
    let check: SelfTest.Check

    static let fields = Field.list {
        Field("name") { $0.check.name }
        Field("passed") { $0.check.passed }
    }
}

extension WireClock {
    /// Returns the time that has passed since `time`; `nil` for a time in the future.
    fileprivate func ageIfPast(_ time: MonotonicTime?) -> DecimalNumber? {
        time.flatMap { $0 <= now ? age($0) : nil }
    }
}
