public import LifetimeTracer

/// Expects so many observer tokens in force.
///
/// Looks once, at this moment, in the registry that is current.
///
/// - Parameters:
///   - event: What is observed.
///   - owner: For whom: `.instance(screen)`, `.type(Screen.self)`, `.nobody`; whoever it is where this is `nil`.
///   - count: How many.
///   - reason: Why so many, in words for people.
///   - registry: Where to look; by default the registry that is current.
public func expectTokens(
    event: String, owner: TokenOwner? = nil, count: Int, because reason: String? = nil,
    in registry: LifetimeRegistry = .current, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    let tokens = registry.snapshot().tokens.filter { token in
        token.event == event && (owner?.owns(token, in: registry) ?? true)
    }
    guard tokens.count != count else { return }
    let whose = owner.map { " of \($0.described(in: registry))" } ?? ""
    var finding = Finding(
        headline: "\(tokens.count.counted("token")) for \(event)\(whose) \(tokens.count == 1 ? "is" : "are") in force.")
    finding.expected = "\(count)" + (reason.map { ": \($0)" } ?? "") + "."
    finding.tokens = tokens
    Reporter.report(finding, at: CallSite(fileID, filePath, line, column))
}

/// Expects that no observer token is in force whose owner has gone.
///
/// Looks at the registry that is current. An owner that removes its tokens as it goes does so a moment after it counts as gone;
/// so tokens of owners that have gone are waited for, with the thread blocked and until they are removed, at most for the delay.
///
/// - Parameters:
///   - delay: How long a token may outlast its owner.
///   - reason: Why none may, in words for people.
///   - registry: Where to look; by default the registry that is current.
public func expectNoOrphanedTokens(
    within delay: Duration = .milliseconds(250), because reason: String? = nil,
    in registry: LifetimeRegistry = .current, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
) {
    let deadline = ContinuousClock.now + delay
    var orphans = registry.orphanedTokens
    while !orphans.isEmpty, deadline > .now {
        let change = RegistryChange(removalOf: orphans, in: registry)
        defer { change.end() }
        let isOver = !change.isMissed && BlockingWait.wait(for: change.signal, until: deadline) != .happened
        orphans = registry.orphanedTokens
        if isOver { break }
    }
    guard !orphans.isEmpty else { return }
    var finding = Finding(headline: "\(orphans.count.counted("token")) still in force though the owner has gone.")
    finding.expected = "a token ends with its owner" + (reason.map { ": \($0)" } ?? "") + "."
    finding.tokens = orphans
    Reporter.report(finding, at: CallSite(fileID, filePath, line, column))
}

extension LifetimeRegistry {
    /// The tokens in force whose owner has gone, whether or not the registry's own grace is over.
    fileprivate var orphanedTokens: [TokenRecord] {
        snapshot().tokens.filter { $0.owner.map { !$0.isLive } ?? false }
    }
}
