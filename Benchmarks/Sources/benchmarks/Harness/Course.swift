/// What a workload does with a class: the same for all contenders.
protocol Course {
    /// Sets up what is to be live and gives the work, which is not to be set up anew for every round.
    ///
    /// The work runs that many pairs and gives the nanoseconds a pair.
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double
}

extension Course {
    /// The library's two ways and the untraced class.
    // Inlined, as `prepare` is: the loops must be compiled for each class by itself, as a program's own code is.
    @inline(__always)
    func own() -> [Contest.Entrant] {
        [
            Contest.Entrant(name: Contest.bare, run: prepare(BarePair.self)),
            Contest.Entrant(name: "traced", run: prepare(TracedPair.self)),
            Contest.Entrant(name: "token", run: prepare(TokenHolder.self)),
        ]
    }

    /// The peers.
    @inline(__always)
    func peers() -> [Contest.Entrant] {
        [
            entrant(.counter, prepare(CountedPair.self)),
            entrant(.dictionaries, prepare(DictionaryPair.self)),
            entrant(.tracker, prepare(TrackedPair.self)),
        ]
    }

    private func entrant(_ peer: Peer, _ run: @escaping (Int) -> Double) -> Contest.Entrant {
        Contest.Entrant(name: peer.rawValue) { run(max(1, $0 / peer.handicap)) }
    }
}
