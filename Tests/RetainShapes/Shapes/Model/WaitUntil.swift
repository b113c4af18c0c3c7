internal import LifetimeTracer
internal import Patience

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Polls a condition that has no event to wait for; traps after ``Patience/limit``.
package func waitUntil(_ what: String, _ holds: () -> Bool) {
    let clock = ContinuousClock()
    let end = clock.now + Patience.limit
    while !holds() {
        precondition(clock.now < end, "it did not come about in time: \(what)")
        usleep(200)
    }
}

extension Locked {
    /// Waits for the value to be set, and returns it.
    func first<Value>(_ what: String) -> Value where State == Value? {
        waitUntil(what) { withLock { $0 != nil } }
        guard let value = withLock({ $0 }) else { preconditionFailure("it was there just now: \(what)") }
        return value
    }
}
