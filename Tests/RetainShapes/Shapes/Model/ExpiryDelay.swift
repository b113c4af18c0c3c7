internal import LifetimeTracer

/// The lifetime of shapes that end by themselves.
package enum ExpiryDelay {
    private static let shortest = 4.0
    private static let current = Locked(shortest)

    /// The lifetime in seconds.
    package static var seconds: Double { current.withLock { $0 } }

    /// Runs up to five attempts until one succeeds, doubling the delay after each.
    ///
    /// On a busy machine, a shape can end before its search does.
    package static func withLongerDelays(_ attempt: () -> Bool) -> Bool {
        defer { current.withLock { $0 = shortest } }
        for _ in 0..<5 {
            if attempt() { return true }
            current.withLock { $0 *= 2 }
        }
        return false
    }
}
