import LifetimeTracer
import LifetimeTracerServer

/// The complete library in use, as in a program with tracing on.
///
/// Figures of the core alone would not be realistic. The parts are a server that samples the history, budgets, a
/// verdict observer and observer tokens. They live as long as the process.
struct Furniture {
    private let server: TracerServer
    private let hub: ObserverHub<Int>
    private let owner: Screen

    private final class Screen: TracedObject {}

    /// The number of observer tokens.
    private static let tokens = 100

    /// Sets up the server, budgets, observer and tokens for the shared registry.
    init() throws {
        server = TracerServer(address: "127.0.0.1:0")
        try server.start()
        let registry = LifetimeRegistry.shared
        try registry.setBudget(3_000_000, for: TracedPair.self)
        try registry.setBudget(3_000_000, for: TokenHolder.self)
        registry.observeVerdicts(.standardError).keep()
        hub = ObserverHub<Int>(event: "benchmark")
        owner = Screen()
        for _ in 0..<Self.tokens { hub.observe(owner: owner) { _ in }?.keep(for: owner) }
    }

    /// Keeps the parts alive until the end, where it must be called.
    ///
    /// Otherwise Swift may release them after their last use.
    func remain() {
        withExtendedLifetime(self) {}
    }
}
