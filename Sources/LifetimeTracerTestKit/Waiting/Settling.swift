import LifetimeTracer

/// Waits until a registry meets the rules, woken by deaths and token removals.
struct Settling: Sendable {
    let registry: LifetimeRegistry
    let rules: LeakRules
    let deadline: ContinuousClock.Instant

    init(_ registry: LifetimeRegistry, _ rules: LeakRules) {
        self.registry = registry
        self.rules = rules
        deadline = .now + rules.settling
    }

    /// Waits in a task, to the end even if the task is cancelled, and returns what is then left.
    func wait() async -> Judgement {
        while true {
            guard let change = nextChange() else { return judgement() }
            defer { change.end() }
            if change.isMissed { continue }
            switch await change.signal.wait(until: deadline) {
            case .happened: continue
            case .timedOut: return judgement()
            // An object may need the time even though the task is cancelled, so an uncancelled task continues the wait.
            case .cancelled: return await Task { await wait() }.value
            }
        }
    }

    /// Blocks the thread, and returns what is left at the end.
    func waitBlocking() -> Judgement {
        while true {
            guard let change = nextChange() else { return judgement() }
            defer { change.end() }
            if change.isMissed { continue }
            guard BlockingWait.wait(for: change.signal, until: deadline) == .happened else { return judgement() }
        }
    }

    /// The objects and tokens that are left although the rules do not allow them.
    func judgement() -> Judgement {
        let snapshot = registry.snapshot()
        return Judgement(of: Leftovers(in: snapshot), unlisted: snapshot.unlisted, by: rules, in: registry)
    }

    /// The change to wait for before judging again; `nil` if nothing is left or the deadline has passed.
    private func nextChange() -> RegistryChange? {
        guard deadline > .now else { return nil }
        let judgement = judgement()
        return judgement.isClean ? nil : RegistryChange(awaited: judgement, in: registry)
    }
}
