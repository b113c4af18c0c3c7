import LifetimeTracer

/// The library's switches, in one place.
///
/// A switch that the library does not have is unavailable, and its workload is reported as not measured. The condition
/// `TRACER_SWITCHES` in `Package.swift` says that it has them.
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
