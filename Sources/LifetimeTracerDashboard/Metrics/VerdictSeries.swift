import LifetimeTracer

/// The time series of the counts of verdicts, by kind and type.
struct VerdictSeries: Sendable {
    /// The labels of the series, in the order of ``value(at:)``.
    let labels: [[UInt8]]

    private let entries: [VerdictCounts.Entry]
    private let positions: [Int]

    /// Creates the series.
    ///
    /// - Parameter known: The labels of earlier series.
    init(_ counts: VerdictCounts, _ known: VerdictLabels) {
        entries = counts.entries
        (labels, positions) = known.labels(entries)
    }

    /// Returns the value of a series.
    func value(at position: Int) -> Int { entries[positions[position]].count }
}

/// The labels of the counts of verdicts, sorted, each made once: entries are only added, and each stays where it is.
final class VerdictLabels: Sendable {
    private struct State: LockedState {
        var labels: [[UInt8]] = []
        /// For each label, the position of its entry.
        var positions: [Int] = []
    }

    private let state = Locked(State())

    /// Returns the labels of entries, sorted by kind and type, and the position of the entry of each.
    func labels(_ entries: [VerdictCounts.Entry]) -> (labels: [[UInt8]], positions: [Int]) {
        let known = state.withLock { ($0.labels, $0.positions) }
        guard known.0.count != entries.count else { return known }
        let names = entries.map { (kind: $0.kind.rawValue, type: $0.subject.label) }
        let positions = entries.indices.sorted { names[$0] < names[$1] }
        let labels = positions.map {
            MetricsWriter.labelText([("kind", names[$0].kind), ("type", names[$0].type)])
        }
        state.removeAndRelease { state in
            let former = state
            state = State(labels: labels, positions: positions)
            return former
        }
        return (labels, positions)
    }
}

extension VerdictCounts.Subject {
    /// The value of the label `type`.
    fileprivate var label: String {
        switch self {
        case .type(let name): name.qualified
        case .noType: RegistryMetrics.noType
        case .otherTypes: TypeSeries.otherTypes
        }
    }
}
