import LifetimeTracer

/// The environment of a scenario while it is played.
final class Stage: Sendable {
    /// The registry that traces the scenario's objects; the current registry while the scenario is played.
    let registry: LifetimeRegistry
    /// The service for the scenario's requests.
    let slowService: SlowService

    private let record: @Sendable (String) -> Void

    init(registry: LifetimeRegistry, slowService: SlowService, record: @escaping @Sendable (String) -> Void) {
        self.registry = registry
        self.slowService = slowService
        self.record = record
    }

    /// Records a step, in words.
    func note(_ step: String) {
        record(step)
    }

    /// Waits until every leaving deadline that is set now has passed and its verdicts have been reached.
    func waitForVerdicts() async {
        await pause(registry.configuration.leavingDelay + .milliseconds(200))
        registry.check()
    }

    /// Suspends the task for a duration; returns early if the task is cancelled.
    func pause(_ duration: Duration) async {
        try? await Task.sleep(for: duration)
    }

    /// Waits until a condition is true, at most for `limit`.
    ///
    /// - Returns: Whether the condition is true.
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

    /// Returns how many of these tokens are in force.
    func inForce(_ ids: Set<TokenID>) -> Int {
        registry.snapshot().tokens.count { ids.contains($0.id) }
    }
}
