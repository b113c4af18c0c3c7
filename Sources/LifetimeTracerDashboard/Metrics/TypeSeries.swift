import LifetimeTracer

/// The counters of the types as series: the first types that were traced each have their own, all others share one.
///
/// Which types have their own is settled by the order in which the registry first saw the types. That order never changes, so
/// a type never moves between its own series and the shared one, and no counter falls: Prometheus would take a counter that
/// falls for a restart of the program.
struct TypeSeries: Sendable {
    /// The most types with series of their own.
    static let limit = 1000
    /// The label of the series that all other types share.
    static let otherTypes = "other"

    /// Types without series of their own.
    var otherCount: Int { other.count }

    private let own: ArraySlice<TypeCount>
    private let other: ArraySlice<TypeCount>

    /// - Parameter types: All types of the registry, in the order in which they were first seen.
    init(_ types: [TypeCount]) {
        own = types.prefix(Self.limit)
        other = types.dropFirst(Self.limit)
    }

    /// The label and the value of each series.
    func samples(_ value: KeyPath<TypeCount, UInt64>) -> [(String, UInt64)] {
        let samples = own.map { ($0.type.qualified, $0[keyPath: value]) }
        return other.isEmpty ? samples : samples + [(Self.otherTypes, other.reduce(0) { $0 + $1[keyPath: value] })]
    }
}
