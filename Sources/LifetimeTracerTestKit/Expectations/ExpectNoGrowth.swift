import LifetimeTracer

/// Expects that repeating a round trip does not leave more objects or tokens behind each time.
///
/// ```swift
/// expectNoGrowth(rounds: 5) {
///     navigation.push(DetailScreen())
///     navigation.pop()
/// }
/// ```
/// Objects that are created once and kept, such as a cache, are fine. The expectation reports a type if instances
/// from nearly every round are left, with the retain path of its youngest instance: from all rounds, or from all but
/// one in eight. It treats observer tokens in the same way. A running program is judged by the same definition, with
/// minutes in place of rounds, see `LifetimeRegistry.growth()`. A warm-up round runs first and does not count. The
/// rounds run in the registry of the test's scope (`leakFree`, `LeakFreeTestCase`), or else in a registry of their own.
///
/// - Parameters:
///   - rounds: The number of rounds, from 2. More rounds make a false alarm by chance less likely.
///   - reason: A human-readable reason why nothing should grow.
///   - roundTrip: One round trip.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
@_disfavoredOverload
public func expectNoGrowth(
    rounds: Int = 5, because reason: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, _ roundTrip: () throws -> Void
) rethrows {
    precondition(rounds >= 2, "\(rounds) rounds cannot show growth; use 2 or more")
    var check = GrowthCheck(in: .ofOneTest, because: reason)
    for _ in 0...rounds {
        try check.registry.withCurrent(roundTrip)
        check.endRound()
    }
    if let finding = check.findingBlocking() { Reporter.report(finding, at: CallSite(fileID, filePath, line, column)) }
}

/// Expects that repeating a round trip does not leave more objects or tokens behind each time.
///
/// See the synchronous overload.
public func expectNoGrowth<Failure: Error>(
    rounds: Int = 5, because reason: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, isolation: isolated (any Actor)? = #isolation,
    _ roundTrip: () async throws(Failure) -> Void
) async throws(Failure) {
    precondition(rounds >= 2, "\(rounds) rounds cannot show growth; use 2 or more")
    var check = GrowthCheck(in: .ofOneTest, because: reason)
    for _ in 0...rounds {
        try await check.registry.withCurrent(roundTrip)
        check.endRound()
    }
    if let finding = await check.finding() { Reporter.report(finding, at: CallSite(fileID, filePath, line, column)) }
}

extension LifetimeRegistry {
    /// The registry of the test's scope, or a new one outside a scope, because all tests share the shared registry.
    fileprivate static var ofOneTest: LifetimeRegistry {
        let current = current
        return current === shared ? scoped() : current
    }
}
