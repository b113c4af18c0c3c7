import LifetimeTracer
import Synchronization

/// What registries of one's own cost: those who trace into one, and everybody else meanwhile.
enum ScopedRegistry {
    static func entrants() -> [Contest.Entrant] {
        let registry = LifetimeRegistry()
        let hot = HotCourse()
        let traced = hot.prepare(TracedPair.self)
        return [
            Contest.Entrant(name: Contest.bare, run: hot.prepare(BarePair.self)),
            Contest.Entrant(name: "no scope", run: traced),
            Contest.Entrant(name: "in a scope") { pairs in registry.withCurrent { traced(pairs) } },
            Contest.Entrant(name: "beside a scope") { pairs in
                let scope = HeldScope(registry)
                defer { scope.end() }
                return traced(pairs)
            },
        ]
    }
}

/// A scope that another thread holds open, asleep.
private final class HeldScope: Sendable {
    private enum Stage {
        case opening
        case open
        case ending
        case ended
    }

    private let stage = Guarded(Stage.opening)

    init(_ registry: LifetimeRegistry) {
        startThread { [stage] in
            registry.withCurrent {
                stage.change { $0 = .open }
                stage.wait { $0 == .ending ? () : nil }
            }
            stage.change { $0 = .ended }
        }
        stage.wait { $0 == .open ? () : nil }
    }

    func end() {
        stage.change { $0 = .ending }
        stage.wait { $0 == .ended ? () : nil }
    }
}
