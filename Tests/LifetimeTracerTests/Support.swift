import LifetimeTracer

/// A registry with a manual clock, for one test.
struct Bench {
    let clock = ManualClock()
    let registry: LifetimeRegistry

    init(_ configure: (inout RegistryConfiguration) -> Void = { _ in }) {
        var configuration = RegistryConfiguration()
        configure(&configuration)
        registry = LifetimeRegistry(clock: clock, configuration: configuration)
    }

    /// Advances the clock and reaches the verdicts that are due.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        registry.check()
    }

    /// The kinds and messages of the verdicts so far.
    var messages: [String] {
        registry.verdicts().map { "\($0.kind.rawValue): \($0.message)" }
    }

    func make<Object>(_ body: () throws -> Object) rethrows -> Object {
        try registry.withCurrent(body)
    }
}

final class Screen: TracedNode {}
final class Flow: TracedNode {}
final class Plain: TracedObject {}
