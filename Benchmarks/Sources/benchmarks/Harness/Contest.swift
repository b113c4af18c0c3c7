import CBenchmarks
import Reporting

/// Contenders that do the same work in turn, round after round, in one process.
///
/// Every round runs each contender once. The order rotates, so that no contender always comes first or after the same
/// other one.
struct Contest {
    /// A contender and its work.
    struct Entrant {
        let name: String
        /// Runs about that many pairs and returns the nanoseconds per pair.
        let run: (Int) -> Double
    }

    /// The untraced class, the base of all ratios.
    static let bare = "bare"
    /// The contenders of the library, which are also compared with the peers.
    static let own = ["traced", "token"]

    let workload: String
    let entrants: [Entrant]
    let pairs: Int
    var rounds: Int

    /// Runs the rounds and returns the figures: the times, the ratios to bare, and the ratios of the library's
    /// contenders to each peer.
    func run(unit: String = "ns") -> [Figure] {
        // The first rounds are not measured: they fill caches, tables and the allocator's bins.
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

/// The peers; the raw values are the names of their rows.
enum Peer: String, CaseIterable {
    case counter
    case dictionaries
    case tracker

    /// The factor by which the peer gets fewer pairs, because it is slower.
    ///
    /// Otherwise a round would take seconds.
    var handicap: Int {
        switch self {
        case .counter: 1
        case .dictionaries: 8
        case .tracker: 64
        }
    }
}
