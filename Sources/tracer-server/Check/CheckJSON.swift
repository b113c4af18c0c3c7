import LifetimeTracer
import TracerBase

/// The outcome of a check as one JSON document; Documentation/CommandLine.md describes it.
struct CheckJSON: JSONWritable {
    let outcome: CheckOutcome

    /// The version of the document's format.
    private static let version = 1
    /// The most instances that the document lists for one detail.
    private static let instanceLimit = 100

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("version", Self.version)
            writer.field("verdict", outcome.verdict.rawValue)
            writer.field("reason", outcome.reason)
            writer.field("server", outcome.address.description)
            writer.field(
                "checkedAt",
                TimestampText.withMilliseconds(nanosecondsSince1970: outcome.checkedAt.nanosecondsSince1970))
            writer.key("process")
            if let process = outcome.report?.process {
                writer.object { writer in
                    writer.field("pid", process.pid)
                    writer.field("name", process.name)
                    writer.field("host", process.host)
                }
            } else {
                writer.raw("null".utf8)
            }
            writer.field("live", outcome.report?.live)
            writer.key("findings")
            writer.array(outcome.report?.findings ?? []) { Self.write($1, to: &$0) }
        }
    }

    private static func write(_ finding: CheckFinding, to writer: inout JSONWriter) {
        let details = finding.details.prefix(CheckText.detailLimit)
        writer.object { writer in
            writer.field("kind", finding.kind.rawValue)
            writer.field("type", finding.type)
            writer.field("state", finding.state.rawValue)
            writer.field("count", finding.count)
            writer.field("limit", finding.limit)
            writer.field("known", finding.known)
            writer.key("details")
            writer.array(details) { writer, detail in
                writer.object { writer in
                    writer.field("count", detail.count)
                    writer.field("subject", detail.subject)
                    writer.field("text", detail.text)
                    writer.field("instances", Array(detail.instances.prefix(instanceLimit)))
                    writer.field("hint", detail.hint)
                }
            }
            writer.field("detailsLeftOut", finding.details.count - details.count)
        }
    }
}
