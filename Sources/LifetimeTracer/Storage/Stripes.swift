import CLifetimeRuntime

/// Access to the threads' stripes.
///
/// Safe: stripes are never freed, and their fields are accessed by the thread that has entered or claimed them.
enum Stripes {
    /// All stripes, newest first; claiming them is up to the caller.
    static var all: some Sequence<UnsafeMutablePointer<lt_stripe>> {
        sequence(state: lt_first_stripe()) { next in
            defer { next = next?.pointee.next }
            return next
        }
    }

    /// The memory of all stripes in bytes.
    static var bytes: Int {
        lt_claim_all()
        defer { lt_release_all() }
        return all.reduce(0) { bytes, _ in
            bytes + MemoryLayout<lt_stripe>.size + Int(lt_count_size()) * MemoryLayout<lt_count>.size
        }
    }

    /// Calls `body` inside the calling thread's stripe.
    ///
    /// - Returns: `nil` if the system has no memory for the stripe.
    @discardableResult
    static func withOwn<Result>(_ body: (UnsafeMutablePointer<lt_stripe>) -> Result) -> Result? {
        guard let stripe = lt_adopt_stripe() else { return nil }
        lt_enter(stripe)
        defer { lt_leave(stripe) }
        return body(stripe)
    }
}

extension UnsafeMutablePointer<lt_stripe> {
    /// Returns the stripe's counter of a type; the stripe must be entered or claimed.
    func count(of type: UInt32) -> lt_count { pointee.counts[Int(type)] }
}
