import LifetimeTracer

/// Expects that a round trip, made several times over, does not leave a little more behind each time.
///
/// ```swift
/// expectNoGrowth(rounds: 5) {
///     navigation.push(DetailScreen())
///     navigation.pop()
/// }
/// ```
/// What is made once and kept, such as a cache, is fine: only a type of which there are more after *every* round is reported, by name, with
/// the way to its youngest instance; so are tokens. A round to warm up comes first and is not counted. Counted is in the
/// scope of the test where it has one (`leakFree`, `LeakFreeTestCase`), else in one of its own.
///
/// - Parameters:
///   - rounds: How many rounds, from 2; more make a chance hit less likely.
///   - reason: Why nothing should grow, in words for people.
///   - roundTrip: The way there and back.
@_disfavoredOverload
public func expectNoGrowth(
    rounds: Int = 5, because reason: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ roundTrip: () throws -> Void
) rethrows {
    precondition(rounds >= 2, "\(rounds) rounds show no growth; make 2 or more")
    var check = GrowthCheck(in: .ofOneTest, because: reason)
    for _ in 0...rounds {
        try check.registry.withCurrent(roundTrip)
        check.endRound()
    }
    if let finding = check.findingBlocking() { Reporter.report(finding, at: CallSite(fileID, filePath, line, column)) }
}

/// Expects that a round trip, made several times over, does not leave a little more behind each time.
///
/// See the form without `async`.
public func expectNoGrowth(
    rounds: Int = 5, because reason: String? = nil, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, isolation: isolated (any Actor)? = #isolation,
    _ roundTrip: () async throws -> Void
) async rethrows {
    precondition(rounds >= 2, "\(rounds) rounds show no growth; make 2 or more")
    var check = GrowthCheck(in: .ofOneTest, because: reason)
    for _ in 0...rounds {
        try await check.registry.withCurrent(roundTrip)
        check.endRound()
    }
    if let finding = await check.finding() { Reporter.report(finding, at: CallSite(fileID, filePath, line, column)) }
}

extension LifetimeRegistry {
    /// The registry of the test's scope, or a new one where it has none: the shared one is everybody's.
    fileprivate static var ofOneTest: LifetimeRegistry {
        let current = current
        return current === shared ? scoped() : current
    }
}
