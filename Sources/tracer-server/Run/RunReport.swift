import LifetimeTracer
import TracerBase

/// The file of `--report`; Documentation/AnyProgram.md describes it.
struct RunReport: JSONWritable {
    /// The version of the file's format.
    private static let version = 1

    let outcome: RunOutcome
    /// The program as the user named it.
    let program: String
    let process: Int32
    let endedAt: WallTime

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("version", Self.version)
            writer.field("verdict", outcome.verdict.rawValue)
            writer.field("reason", outcome.reason)
            writer.key("process")
            writer.object { writer in
                writer.field("pid", process)
                writer.field("name", program)
            }
            writer.field(
                "endedAt",
                TimestampText.withMilliseconds(nanosecondsSince1970: endedAt.nanosecondsSince1970))
            var (status, signal): (Int32?, Int32?) = (nil, nil)
            switch outcome.ending {
            case .exited(let number): status = number
            case .killed(let number): signal = number
            }
            writer.field("exitStatus", status)
            writer.field("signal", signal)
            writer.key("search")
            writer.raw(outcome.search.json ?? Array("null".utf8))
        }
    }
}
