import Patience

/// A value that did not appear in time.
struct NotInTime: Error, CustomStringConvertible {
    let description: String
}

/// Polls until there is a value; throws if there is none within ``Patience/limit``.
func eventually<Value>(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ look: () async throws -> Value?
) async throws -> Value {
    let clock = ContinuousClock()
    let end = clock.now + Patience.limit
    while true {
        if let value = try await look() { return value }
        guard clock.now < end else { throw NotInTime(description: "it did not come about in time: \(what)") }
        try await Task.sleep(for: .milliseconds(25))
    }
}
