public import LifetimeTracer
import TracerBase

/// Expects an exact number of observer tokens in force.
///
/// Checks the current registry once, at the time of the call.
///
/// - Parameters:
///   - event: The observed event.
///   - owner: The object that owns the tokens; without `owner` and `ownerType`, the tokens of every owner are counted.
///   - ownerType: The type of the owners; all instances of the type count.
///   - count: The expected number.
///   - reason: A human-readable reason for the number.
///   - registry: The registry to check; by default the current one.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
public func expectTokens(
    event: String, owner: (any Traced)? = nil, ownerType: Any.Type? = nil, count: Int, because reason: String? = nil,
    in registry: LifetimeRegistry = .current, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
) {
    expectTokens(
        event: event, ownedBy: owner == nil && ownerType == nil ? nil : TokenOwner(owner, type: ownerType),
        count: count, because: reason, in: registry, fileID: fileID, filePath: filePath, line: line, column: column)
}

/// Expects an exact number of observer tokens in force of an owner, of nobody, or with `nil` of every owner.
package func expectTokens(
    event: String, ownedBy owner: TokenOwner?, count: Int, because reason: String? = nil,
    in registry: LifetimeRegistry = .current, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
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

/// Expects that no observer token in force has outlived its owner.
///
/// Checks the current registry. An owner that removes its tokens during its own destruction does so a moment after it
/// counts as gone. So the function blocks the thread until the tokens of owners that are gone are removed, or the delay
/// has passed.
///
/// - Parameters:
///   - delay: How long a token may outlive its owner.
///   - reason: A human-readable reason for the expectation.
///   - registry: The registry to check; by default the current one.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
public func expectNoOrphanedTokens(
    within delay: Duration = .milliseconds(250), because reason: String? = nil,
    in registry: LifetimeRegistry = .current, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
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
    /// The tokens in force whose owner is gone, whether or not the registry's grace period has passed.
    fileprivate var orphanedTokens: [TokenRecord] {
        snapshot().tokens.filter { $0.owner.map { !$0.isLive } ?? false }
    }
}
