import CLifetimeRuntime

/// Runs one contender alone, for tools that measure a whole process.
///
/// Callgrind counts only inside `hotPairs`, which must therefore stay the only function of that name.
enum Alone {
    /// Runs pairs; returns `false` if there is no such contender.
    static func pairs(_ contender: String, _ count: Int) -> Bool {
        // As after a millisecond of many births: the tools run the program too slowly for that, and counts of
        // instructions must not depend on the time.
        var step = lt_clock_step()
        lt_begin_clock(&step)
        _ = lt_step_clock(&step, 1, lt_ticks() >> UInt64(lt_time_shift()), 0)
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

    /// Creates objects and keeps all of them until the last is created.
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
        // One allocation for any count, so that the difference between two runs contains only the objects' allocations.
        let objects = UnsafeMutablePointer<S>.allocate(capacity: count)
        for index in 0..<count { (objects + index).initialize(to: S.make(index)) }
        objects.deinitialize(count: count)
        objects.deallocate()
    }
}
