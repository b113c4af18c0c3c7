import LifetimeTracer

/// The library's switches, in one place.
///
/// What the library does not have is reported as not measured. That it has the switches says the condition
/// `TRACER_SWITCHES`, and that it tells how long a snapshot held its locks, `TRACER_SNAPSHOT_TIMING`; both are defined among the
/// target's `swiftSettings`.
enum Switches {
    #if TRACER_SWITCHES
    static let areAvailable = true

    static func recordCreationStacks(_ isOn: Bool) { LifetimeRegistry.shared.recordsCreationStacks = isOn }

    static func trace(_ isOn: Bool) { LifetimeRegistry.isTracing = isOn }
    #else
    static let areAvailable = false

    static func recordCreationStacks(_: Bool) {}

    static func trace(_: Bool) {}
    #endif

    #if TRACER_SNAPSHOT_TIMING
    /// How long the locks were held by the last snapshot of the shared registry, in nanoseconds.
    static func lastSnapshotLockedNanoseconds() -> Double? {
        LifetimeRegistry.shared.lastSnapshotLockedNanoseconds.map(Double.init)
    }
    #else
    static func lastSnapshotLockedNanoseconds() -> Double? { nil }
    #endif
}
