/// One contender by itself, for tools that look at a process from outside.
///
/// Callgrind counts inside `hotPairs` alone; it must stay the only function of that name.
enum Alone {
    /// Runs pairs; `false` when there is no such contender.
    static func pairs(_ contender: String, _ count: Int) -> Bool {
        switch contender {
        case Contest.bare: hotPairs(BarePair.self, count)
        case "traced": hotPairs(TracedPair.self, count)
        case "token": hotPairs(TokenHolder.self, count)
        case Peer.counter.rawValue: hotPairs(CountedPair.self, count)
        case Peer.dictionaries.rawValue: hotPairs(DictionaryPair.self, count)
        case Peer.tracker.rawValue: hotPairs(TrackedPair.self, count)
        default: return false
        }
        return true
    }

    /// Makes objects and keeps them all until the last is made.
    static func hold(_ contender: String, _ count: Int) -> Bool {
        switch contender {
        case Contest.bare: keep(BarePair.self, count)
        case "traced": keep(TracedPair.self, count)
        case "token": keep(TokenHolder.self, count)
        default: return false
        }
        return true
    }

    private static func keep<S: Subject>(_: S.Type, _ count: Int) {
        // One allocation, whatever the count, so that what is left between two runs is the objects' alone.
        let objects = UnsafeMutablePointer<S>.allocate(capacity: count)
        for index in 0..<count { (objects + index).initialize(to: S.make(index)) }
        objects.deinitialize(count: count)
        objects.deallocate()
    }
}
