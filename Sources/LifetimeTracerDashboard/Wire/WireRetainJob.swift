import LifetimeTracer

/// The wire type of a pending search for a retain path.
struct WireRetainJob: JSONObject {
    private let job: WireRetainJobState

    init(_ job: RetainJob, _ clock: WireClock) {
        self.job = WireRetainJobState(job, clock)
    }

    static let fields = Field.list {
        Field("job") { $0.job }
    }
}

/// The wire type of the progress of a search.
private struct WireRetainJobState: JSONObject {
    private enum State: String, JSONChoice {
        case waiting, searching
    }

    private let job: RetainJob
    private let askedAt: Timestamp
    private let startedAt: Timestamp?
    private let age: DecimalNumber

    init(_ job: RetainJob, _ clock: WireClock) {
        self.job = job
        askedAt = clock.timestamp(job.askedAt)
        startedAt = job.startedAt.map(clock.timestamp)
        age = clock.age(job.askedAt)
    }

    static let fields = Field.list {
        Field("instance") { $0.job.instance }
        Field("state") { $0.job.startedAt == nil ? State.waiting : .searching }
        Field("progress") { $0.job.progress }
        Field("askedAt") { $0.askedAt }
        Field("startedAt") { $0.startedAt }
        Field("ageSeconds") { $0.age }
        Field("together", as: .integer(0...)) { $0.job.together }
    }
}
