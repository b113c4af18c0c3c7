import LifetimeTracer
import LifetimeTracerServer

/// The whole library in place, as in a program that is left with it on: figures of a stripped core would be of no use.
///
/// A server that samples the history, budgets, a verdict observer, observer tokens. Lives as long as the process.
struct Furniture {
    private let server: TracerServer
    private let hub: ObserverHub<Int>
    private let owner: Screen

    private final class Screen: TracedObject {}

    /// How many registrations there are.
    private static let tokens = 100

    /// Sets it all up beside the shared registry.
    init() throws {
        server = TracerServer(address: "127.0.0.1:0")
        try server.start()
        let registry = LifetimeRegistry.shared
        try registry.setBudget(3_000_000, for: TracedPair.self)
        try registry.setBudget(3_000_000, for: TokenHolder.self)
        registry.observeVerdicts(.standardError)
        hub = ObserverHub<Int>(event: "benchmark")
        owner = Screen()
        for _ in 0..<Self.tokens { hub.observe(owner: owner) { _ in } }
    }

    /// Must be called at the end: what is not used any more would be gone before it.
    func remain() {
        withExtendedLifetime(self) {}
    }
}
