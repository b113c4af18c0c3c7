import LifetimeTracer

/// Waits until nothing is left that should not be, woken by deaths and by tokens that are removed.
struct Settling: Sendable {
    let registry: LifetimeRegistry
    let rules: LeakRules
    let deadline: ContinuousClock.Instant

    init(_ registry: LifetimeRegistry, _ rules: LeakRules) {
        self.registry = registry
        self.rules = rules
        deadline = .now + rules.settling
    }

    /// Waits in a task, to the end even if that is cancelled; returns what is left then.
    func wait() async -> Judgement {
        while true {
            guard let change = nextChange() else { return judgement() }
            defer { change.end() }
            if change.isMissed { continue }
            switch await change.signal.wait(until: deadline) {
            case .happened: continue
            case .timedOut: return judgement()
            // What has not gone yet may need its time all the same; a task that is not cancelled waits for it.
            case .cancelled: return await Task { await wait() }.value
            }
        }
    }

    /// Blocks the thread; returns what is left at the end.
    func waitBlocking() -> Judgement {
        while true {
            guard let change = nextChange() else { return judgement() }
            defer { change.end() }
            if change.isMissed { continue }
            guard BlockingWait.wait(for: change.signal, until: deadline) == .happened else { return judgement() }
        }
    }

    /// What is left and should not be.
    func judgement() -> Judgement {
        let snapshot = registry.snapshot()
        return Judgement(of: Leftovers(in: snapshot), unlisted: snapshot.unlisted, by: rules, in: registry)
    }

    /// What has to change before the judgement can; `nil` when there is nothing to wait for or no time left.
    private func nextChange() -> RegistryChange? {
        guard deadline > .now else { return nil }
        let judgement = judgement()
        return judgement.isClean ? nil : RegistryChange(awaited: judgement, in: registry)
    }
}
