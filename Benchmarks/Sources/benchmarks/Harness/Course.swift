/// The work of a workload, which is the same for all contenders.
protocol Course {
    /// Creates the live objects and returns the work, so that they are not created again for every round.
    ///
    /// The work runs that many pairs and returns the nanoseconds per pair.
    func prepare<S: Subject>(_: S.Type) -> (Int) -> Double
}

extension Course {
    /// The library's two contenders and the untraced class.
    ///
    /// Inlined, like `prepare`: the compiler must specialise the loops for each class, as in a program's own code.
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
