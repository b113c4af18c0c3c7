import CLifetimeRuntime

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Runs one contender alone, for tools that measure a whole process.
///
/// Callgrind counts only inside `hotPairs`, which must therefore stay the only function of that name.
enum Alone {
    /// Chooses the usual form of births and deaths under valgrind, which does not know `membarrier`.
    ///
    /// Valgrind runs one thread at a time, so threads need no `membarrier` there.
    ///
    /// Must be called before the first birth.
    static func prepareForValgrind() {
        guard let preloaded = getenv("LD_PRELOAD").map({ String(cString: $0) }), preloaded.contains("vgpreload") else {
            return
        }
        lt_replace_membarrier { true }
        lt_set_stripe_form(LT_STRIPES_PLAIN)
    }

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
