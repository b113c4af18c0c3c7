import LifetimeTracer

/// The time series of the counters by type: each of the first types has its own series, all others share one.
///
/// The order in which the registry first saw the types decides which types have their own series. That order never
/// changes, so a type never moves between its own series and the shared one, and no counter falls. Prometheus would
/// take a falling counter for a restart of the program.
struct TypeSeries: Sendable {
    /// The most types with series of their own.
    static let limit = 1000
    /// The label of the series that all other types share.
    static let otherTypes = "other"

    /// The number of types without series of their own.
    var otherCount: Int { other.count }
    /// The labels of the series, in the order of ``value(_:at:)``.
    let labels: [[UInt8]]

    private let own: ArraySlice<TypeCount>
    private let other: ArraySlice<TypeCount>

    /// Creates the series.
    ///
    /// - Parameters:
    ///   - types: All types of the registry, in the order in which the registry first saw them.
    ///   - known: The labels of earlier series.
    init(_ types: [TypeCount], _ known: TypeLabels) {
        own = types.prefix(Self.limit)
        other = types.dropFirst(Self.limit)
        labels = known.labels(own) + (other.isEmpty ? [] : [TypeLabels.ofOthers])
    }

    /// Returns the value of a series.
    func value(_ count: (TypeCount) -> Int, at position: Int) -> Int {
        position < own.count ? count(own[position]) : other.reduce(0) { $0 + count($1) }
    }
}

/// The labels of the series of types, each made once: names of types never change.
final class TypeLabels: Sendable {
    /// The label of the series that types without series of their own share.
    static let ofOthers = MetricsWriter.labelText([("type", TypeSeries.otherTypes)])

    private struct State: LockedState {
        var known: [[UInt8]] = []
    }

    private let state = Locked(State())

    /// Returns the labels of the first types of the registry.
    func labels(_ types: ArraySlice<TypeCount>) -> [[UInt8]] {
        state.withLock { state in
            for type in types.dropFirst(state.known.count) {
                state.known.append(MetricsWriter.labelText([("type", type.type.qualified)]))
            }
            return state.known
        }
    }
}
