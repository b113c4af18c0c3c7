import LifetimeTracer

/// A search for a retain path that is not over, as it is sent.
struct WireRetainJob: JSONWritable {
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

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("job")
            writer.object { writer in
                writer.field("instance", job.instance.rawValue)
                writer.field("state", job.startedAt == nil ? "waiting" : "searching")
                writer.field("progress", job.progress?.rawValue)
                writer.field("askedAt", askedAt)
                writer.field("startedAt", startedAt)
                writer.field("ageSeconds", age)
                writer.field("together", job.together)
            }
        }
    }
}
