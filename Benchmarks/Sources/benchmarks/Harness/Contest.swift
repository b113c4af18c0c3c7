import CBenchmarks
import Reporting

/// Contenders that do the same work in turn, round after round, in one process.
///
/// Every round runs each of them once, in an order that rotates, so none always comes first or behind the same other.
struct Contest {
    /// One of them.
    struct Entrant {
        let name: String
        /// Runs about that many pairs and gives the nanoseconds a pair.
        let run: (Int) -> Double
    }

    /// The untraced class, which all are compared with.
    static let bare = "bare"
    /// The library's own, which are compared with the peers, too.
    static let own = ["traced", "token"]

    let workload: String
    let entrants: [Entrant]
    let pairs: Int
    var rounds: Int

    /// Runs the rounds and gives the figures: the time, the ratio to bare, and of the library's own the ratio to each peer.
    func run(unit: String = "ns") -> [Figure] {
        // Not counted: the first rounds fill caches, tables and the allocator's bins.
        for _ in 0..<2 {
            for entrant in entrants { _ = entrant.run(pairs) }
        }
        var times = [[Double]](repeating: [], count: entrants.count)
        for round in 0..<rounds {
            for turn in entrants.indices {
                let index = (round + turn) % entrants.count
                times[index].append(entrants[index].run(pairs))
            }
        }
        return figures(times, unit: unit)
    }

    private func figures(_ times: [[Double]], unit: String) -> [Figure] {
        var figures: [Figure] = []
        for (entrant, own) in zip(entrants, times) {
            figures.append(Figure(workload, entrant.name, unit: unit, Spread(of: own)))
            for (other, base) in zip(entrants, times) where other.name != entrant.name && compares(entrant, with: other)
            {
                figures.append(Figure(workload, entrant.name, ratioTo: other.name, Spread(ofRatios: own, to: base)))
            }
        }
        return figures
    }

    private func compares(_ entrant: Entrant, with other: Entrant) -> Bool {
        other.name == Self.bare
            || Self.own.contains(entrant.name) && Peer.allCases.contains { $0.rawValue == other.name }
    }
}

/// The peers, by the names of their rows.
enum Peer: String, CaseIterable {
    case counter
    case dictionaries
    case tracker

    /// How much slower it is, roughly: so many times fewer pairs it is given, or a round would take seconds.
    var handicap: Int {
        switch self {
        case .counter: 1
        case .dictionaries: 8
        case .tracker: 64
        }
    }
}
