import LifetimeTracer

/// A comparison of two marks as it is sent.
struct WireDiff: JSONWritable {
    /// The most types that are sent.
    static let typeLimit = 500

    private let diff: SnapshotDiff
    private let survivors: WireList<WireInstance>
    private let clock: WireClock

    init(_ diff: SnapshotDiff, survivors: WireList<WireInstance>, _ clock: WireClock) {
        self.diff = diff
        self.survivors = survivors
        self.clock = clock
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writeEnd(diff.from, "from", to: &writer)
            writeEnd(diff.to, "to", to: &writer)
            writer.key("types")
            writer.array(diff.types.prefix(Self.typeLimit)) { writer, change in
                writer.object { writer in
                    writer.field("type", change.type.qualified)
                    writer.field("born", change.born)
                    writer.field("died", change.died)
                    writer.field("kept", change.kept)
                }
            }
            survivors.writeFields(to: &writer)
        }
    }

    private func writeEnd(_ end: SnapshotDiff.End, _ key: String, to writer: inout JSONWriter) {
        writer.key(key)
        writer.object { writer in
            writer.field("name", end.name)
            writer.field("at", clock.timestamp(end.at))
        }
    }
}
