import LifetimeTracer
import Synchronization

/// The cost of scoped registries: for code that traces into one, and for other code meanwhile.
enum ScopedRegistry {
    static func entrants() -> [Contest.Entrant] {
        let registry = LifetimeRegistry()
        let hot = HotCourse()
        let traced = hot.prepare(TracedPair.self)
        return [
            Contest.Entrant(name: Contest.bare, run: hot.prepare(BarePair.self)),
            Contest.Entrant(name: "no-scope", run: traced),
            Contest.Entrant(name: "in-scope") { pairs in registry.withCurrent { traced(pairs) } },
            Contest.Entrant(name: "beside-scope") { pairs in
                let scope = HeldScope(registry)
                defer { scope.end() }
                return traced(pairs)
            },
        ]
    }
}

/// A scope that a sleeping thread holds open.
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
