import LifetimeTracer

/// A verdict as it is sent.
struct WireVerdict: JSONWritable {
    private let verdict: Verdict
    private let at: Timestamp

    init(_ verdict: Verdict, _ registry: LifetimeRegistry) {
        self.verdict = verdict
        at = Timestamp(registry.wallTime(at: verdict.at))
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", verdict.id)
            writer.field("at", at)
            writer.field("kind", verdict.kind.rawValue)
            writer.field("type", verdict.type?.qualified)
            writer.field("instance", verdict.instance?.rawValue)
            writer.field("label", verdict.label)
            writer.field("event", verdict.event)
            writer.field("reason", verdict.reason)
            writer.field("message", verdict.message)
            writer.field("fingerprint", verdict.fingerprint.description)
        }
    }
}
