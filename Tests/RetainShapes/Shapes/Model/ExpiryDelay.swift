internal import LifetimeTracer

/// How long a shape stays that goes by itself.
package enum ExpiryDelay {
    private static let shortest = 4.0
    private static let current = Locked(shortest)

    /// In seconds.
    package static var seconds: Double { current.withLock { $0 } }

    /// Runs up to five attempts, each with twice the delay of the one before, until one succeeds: on a busy machine a shape can be
    /// gone before its answer is there.
    package static func withLongerDelays(_ attempt: () -> Bool) -> Bool {
        defer { current.withLock { $0 = shortest } }
        for _ in 0..<5 {
            if attempt() { return true }
            current.withLock { $0 *= 2 }
        }
        return false
    }
}
