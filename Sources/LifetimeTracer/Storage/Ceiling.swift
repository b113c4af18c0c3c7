import CLifetimeRuntime

/// Tracks the peak of a count that many threads change, without a counter that they share.
///
/// Each thread's stripe has *room*: how far it may raise the number of live instances before it has to ask here. A
/// birth takes one unit from the room of its thread, and a death adds one to the room of the thread on which it
/// happens. So at all times
///
///     live + room of all stripes = ceiling
///
/// A thread without room takes some from a stripe that has enough. The ceiling rises only if no stripe has enough.
/// While it is low it rises by one, so that it equals the peak; later by at most 1/64 of its value divided by the
/// number of stripes. Room that was never used (`low`) was never live, so the peak is the ceiling minus that room. With
/// one thread the peak is exact. With several it is exact while the ceiling is below 128 × the number of stripes, and
/// at most 1/32 too high beyond. It is never too low.
struct Ceiling: Sendable {
    private(set) var value: Int64 = 0

    /// The peak, as exactly as it is known.
    ///
    /// - Parameter unused: The sum over all stripes of the least room that the stripe has had. Room that moved between
    ///   stripes counts as if it had always been in its present stripe. If it was used in one stripe and unused in the
    ///   other, the sum is too small, and can fall below zero.
    func peak(unused: Int64) -> Int {
        Int(value - max(0, unused))
    }

    /// Gives the calling thread's stripe room to raise the count of a type.
    ///
    /// The caller must hold the lock of the registry's catalog and be outside its stripe.
    ///
    /// - Parameter limit: The highest permitted ceiling.
    /// - Returns: Whether there was any room.
    mutating func provideRoom(for type: UInt32, limit: Int64 = .max) -> Bool {
        guard lt_adopt_stripe() != nil else { return false }
        let step = min(max(1, min(4096, value / (64 * Int64(lt_stripe_count())))), limit - value)
        let taken = lt_take_room(type, max(1, step))
        let raised = taken == 0 ? max(0, step) : 0
        guard taken + raised > 0 else { return false }
        Stripes.withOwn { lt_add_room($0, type, taken + raised) }
        value += raised
        return true
    }
}
