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

    private let own: ArraySlice<TypeCount>
    private let other: ArraySlice<TypeCount>

    /// Creates the series.
    ///
    /// - Parameter types: All types of the registry, in the order in which the registry first saw them.
    init(_ types: [TypeCount]) {
        own = types.prefix(Self.limit)
        other = types.dropFirst(Self.limit)
    }

    /// Returns the label and the value of each series.
    func samples(_ value: KeyPath<TypeCount, Int>) -> [(String, Int)] {
        let samples = own.map { ($0.type.qualified, $0[keyPath: value]) }
        return other.isEmpty ? samples : samples + [(Self.otherTypes, other.reduce(0) { $0 + $1[keyPath: value] })]
    }
}
