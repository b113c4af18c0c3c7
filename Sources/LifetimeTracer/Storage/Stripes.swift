import CLifetimeRuntime

/// Access to the threads' stripes.
///
/// Safe: stripes are never freed, and their fields are accessed under their locks.
enum Stripes {
    /// All stripes, newest first; locking is up to the caller.
    static var all: some Sequence<UnsafeMutablePointer<lt_stripe>> {
        sequence(state: lt_first_stripe()) { next in
            defer { next = next?.pointee.next }
            return next
        }
    }

    /// The memory of all stripes in bytes; values of other threads may change meanwhile.
    static var bytes: Int {
        all.reduce(0) { bytes, stripe in
            lt_lock(stripe)
            defer { lt_unlock(stripe) }
            return bytes + MemoryLayout<lt_stripe>.size
                + Int(stripe.pointee.count_size) * MemoryLayout<lt_count>.size
        }
    }

    /// Calls `body` with the calling thread's stripe, which is locked and has a counter for the type.
    ///
    /// - Returns: `nil` if the system has no memory for the stripe or the counter.
    @discardableResult
    static func withOwn<Result>(
        counting type: UInt32, _ body: (UnsafeMutablePointer<lt_stripe>) -> Result
    ) -> Result? {
        guard let stripe = lt_adopt_stripe() else { return nil }
        lt_lock(stripe)
        defer { lt_unlock(stripe) }
        guard type < stripe.pointee.count_size || lt_grow_counts(stripe, type) else { return nil }
        return body(stripe)
    }
}

extension UnsafeMutablePointer<lt_stripe> {
    /// Returns the stripe's counter of a type, if the stripe has one; the stripe must be locked.
    func count(of type: UInt32) -> lt_count? {
        type < pointee.count_size ? pointee.counts[Int(type)] : nil
    }
}
