import CLifetimeRuntime

/// How births and deaths enter the calling thread's part of the storage; see Documentation/Overhead.md.
package enum StripeForm: String, Sendable, CaseIterable {
    /// With plain stores: a snapshot calls `membarrier`.
    case plain
    /// With a locked instruction, because the system refuses `membarrier`, or under ThreadSanitizer.
    case locked

    /// The form that is in force in this process.
    package static var inForce: StripeForm {
        lt_current_stripe_form() == LT_STRIPES_PLAIN ? .plain : .locked
    }
}
