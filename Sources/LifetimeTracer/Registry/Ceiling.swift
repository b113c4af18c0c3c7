import CLifetimeRuntime

/// The peak of a count that many threads raise and lower, without a shared counter on their way.
///
/// Each thread's stripe has *room*: by how much it may raise the number of live instances before it has to ask here. A birth
/// takes one from the room of its thread, a death gives one back to the room of its own, so
///
///     live + all the room there is = ceiling
///
/// holds all the time. A thread without room takes some from another that has enough; only when there is none to take the
/// ceiling rises, by one while it is low, so that then it is the peak, and by 1/64 in all once it is high. What never was used
/// of the room (`low`) was never live: the peak is the ceiling less that. With one thread it is exact; with several it is exact
/// while the ceiling is below 128 × the stripes, and at most 1/32 too high beyond. It is never too low.
struct Ceiling: Sendable {
    private(set) var value: Int64 = 0

    /// The peak, as far as it is known.
    ///
    /// - Parameter unused: The least room there was in each stripe, summed. What went from one stripe to another counts as if it
    ///   had been there all the time, so where it was used in the one before it was unused in the other the sum says less, or
    ///   nothing.
    func peak(unused: Int64) -> UInt64 {
        UInt64(value - max(0, unused))
    }

    /// Gives the calling thread's stripe room to raise the count of a type.
    ///
    /// Called with the registry's catalog locked and no stripe, on a thread whose stripe has a counter of the type.
    ///
    /// - Parameter limit: What the ceiling may not rise above.
    /// - Returns: Whether there was any.
    mutating func provideRoom(for type: UInt32, limit: Int64 = .max) -> Bool {
        guard let own = lt_adopt_stripe() else { return false }
        let step = min(max(1, min(4096, value / (64 * Int64(lt_stripe_count())))), limit - value)
        let taken = Self.takeRoom(of: type, sparing: own, atLeast: max(1, step))
        let raised = taken == 0 ? max(0, step) : 0
        guard taken + raised > 0 else { return false }
        // The caller looked that there is a counter.
        Stripes.withOwn(counting: type) { lt_add_room($0, type, taken + raised) }
        value += raised
        return true
    }

    /// Half of the room of the first stripe that has enough.
    private static func takeRoom(
        of type: UInt32, sparing own: UnsafeMutablePointer<lt_stripe>, atLeast threshold: Int64
    ) -> Int64 {
        var stripe = lt_first_stripe()
        while let current = stripe {
            stripe = current.pointee.next
            guard current != own else { continue }
            lt_lock(current)
            defer { lt_unlock(current) }
            guard let room = current.count(of: type)?.room, room >= threshold else { continue }
            let taken = (room + 1) / 2
            // As if it had always been the other's, so that what is unused is known of both.
            lt_add_room(current, type, -taken)
            return taken
        }
        return 0
    }
}
