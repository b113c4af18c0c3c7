import LifetimeTracer

/// The lifetimes of a lane for which the page's drawing has room.
///
/// The page draws each lifetime as a bar in the first row with room for it, and a lane has few rows. This is the same
/// arrangement as in `lane.js`, so that a response contains no lifetimes that the page would leave out.
struct TimelineRows {
    /// The most rows of bars in a lane.
    static let limit = 14
    /// The width of a lane, in tenths of the page's units.
    private static let width = 10_000
    /// The least length of a bar.
    private static let shortest = 20
    /// The least distance between two bars of a row.
    private static let gap = 10

    /// The lifetimes with a bar.
    private(set) var drawn: [Timeline.Span] = []
    /// The lifetimes without room.
    private(set) var leftOut: [Timeline.Span] = []

    private struct Bar {
        let start: Int
        let end: Int
        /// 0 for a bar that has an overdue part, else 1.
        let rank: Int
    }

    /// Arranges spans.
    init(_ spans: some Sequence<Timeline.Span>, from: MonotonicTime, to: MonotonicTime) {
        let period = max(1, (to - from).inSeconds)
        func x(_ time: MonotonicTime) -> Int {
            Int(((time - from).inSeconds / period * Double(Self.width)).rounded())
        }
        let bars = spans.map { span in
            let start = span.bornAt.map { max(0, x($0)) } ?? 0
            let end = max(span.goneAt.map(x) ?? Self.width, start + Self.shortest)
            let isMarked = span.overdueAt.map { x($0) < end } ?? false
            return (bar: Bar(start: start, end: end, rank: isMarked ? 0 : 1), span: span)
        }
        // Overdue bars come first, so that they are not left out.
        let ordered = bars.sorted {
            ($0.bar.rank, $0.bar.start, $0.span.id) < ($1.bar.rank, $1.bar.start, $1.span.id)
        }
        var rows: [[Bar]] = []
        // The rows with a bar up to the right end, into which no other such bar fits.
        var endedRows = 0
        for (bar, span) in ordered {
            let reachesEnd = bar.end >= Self.width
            if reachesEnd, endedRows == Self.limit {
                leftOut.append(span)
                continue
            }
            let row = rows.firstIndex { row in
                row.allSatisfy { bar.start > $0.end + Self.gap || bar.end < $0.start - Self.gap }
            }
            if let row {
                rows[row].append(bar)
            } else if rows.count < Self.limit {
                rows.append([bar])
            } else {
                leftOut.append(span)
                continue
            }
            if reachesEnd { endedRows += 1 }
            drawn.append(span)
        }
    }
}
