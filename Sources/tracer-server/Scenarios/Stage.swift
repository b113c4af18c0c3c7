import LifetimeTracer

/// What a scenario has at hand while it is played.
final class Stage: Sendable {
    /// Where its objects are recorded; current while it is played.
    let registry: LifetimeRegistry
    /// Where it makes its requests.
    let slowService: SlowService

    private let record: @Sendable (String) -> Void

    init(registry: LifetimeRegistry, slowService: SlowService, record: @escaping @Sendable (String) -> Void) {
        self.registry = registry
        self.slowService = slowService
        self.record = record
    }

    /// Records a step, in words for people.
    func note(_ step: String) {
        record(step)
    }

    /// Waits until every deadline for leaving that was set by now has passed and the verdicts on it are out.
    func waitForVerdicts() async {
        await pause(registry.configuration.leavingDelay + .milliseconds(200))
        registry.check()
    }

    /// Waits.
    func pause(_ duration: Duration) async {
        try? await Task.sleep(for: duration)
    }

    /// Waits until something holds, at most so long.
    ///
    /// - Returns: Whether it does.
    @MainActor
    func comesTrue(within limit: Duration, _ condition: () -> Bool) async -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + limit
        while !condition() {
            guard clock.now < end, !Task.isCancelled else { return false }
            await pause(.milliseconds(20))
        }
        return true
    }

    /// How many of these tokens are in force.
    func inForce(_ ids: Set<TokenID>) -> Int {
        registry.snapshot().tokens.count { ids.contains($0.id) }
    }
}
