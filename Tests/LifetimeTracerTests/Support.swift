import LifetimeTracer

/// A registry on a clock that stands still, for one test.
struct Bench {
    let clock = ManualClock()
    let registry: LifetimeRegistry

    init(_ configure: (inout RegistryConfiguration) -> Void = { _ in }) {
        var configuration = RegistryConfiguration()
        configure(&configuration)
        registry = LifetimeRegistry(clock: clock, configuration: configuration)
    }

    /// Lets time pass and has the verdicts reached that are due then.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        registry.check()
    }

    /// The verdicts so far, as kind and message.
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
