import LifetimeTracer

/// What the routes answer from.
struct DashboardContext: Sendable {
    /// The version of the wire format; see Documentation/JSON.md.
    static let wireVersion = 1

    /// The registry that is shown.
    let registry: LifetimeRegistry
    /// What does not change about the process.
    let process: ProcessFacts
    /// Whether the tracer works at all.
    let selfTest: SelfTest
}
