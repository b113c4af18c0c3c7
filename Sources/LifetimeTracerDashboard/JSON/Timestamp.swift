import LifetimeTracer
import TracerBase

/// A wall-clock time as ISO 8601 in UTC with milliseconds: `2026-11-21T02:00:00.000Z`.
package struct Timestamp: JSONWritable {
    private let time: WallTime

    package init(_ time: WallTime) {
        self.time = time
    }

    @usableFromInline
    package func write(to writer: inout JSONWriter) {
        // Rounded down, so that no time lies in the future.
        writer.timestamp(nanosecondsSince1970: time.nanosecondsSince1970)
    }
}
