import LifetimeTracer
import TracerBase

/// A wall-clock time as ISO 8601 in UTC with milliseconds: `2026-11-21T02:00:00.000Z`.
package struct Timestamp: JSONWritable {
    private let text: String

    package init(_ time: WallTime) {
        // Rounded down, so that no time lies in the future.
        text = TimestampText.withMilliseconds(nanosecondsSince1970: time.nanosecondsSince1970)
    }

    @usableFromInline
    package func write(to writer: inout JSONWriter) {
        writer.text(text)
    }
}
