import LifetimeTracer

/// Asserts that every object and observer token created in a block is gone when the block ends.
///
/// ```swift
/// assertLeakFree {
///     let flow = LoginFlow()
///     flow.start()
///     flow.end()
/// }
/// ```
/// The block runs in a registry of its own, so objects that other tests create at the same time do not count. To
/// include work on threads outside the block's child tasks, bind those threads to the registry: take
/// `LifetimeRegistry.current` in the block and call its `withCurrent` on the thread. The function blocks the thread
/// while it waits for objects that are not gone yet; on the main thread of an XCTest test the run loop keeps running.
///
/// - Parameters:
///   - rules: The objects and tokens that may be left.
///   - body: The code under test.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
@_disfavoredOverload
public func assertLeakFree(
    _ rules: LeakRules = LeakRules(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, _ body: () throws -> Void
) rethrows {
    let check = LeakCheck(registry: .scoped(), rules: rules, subject: "the block")
    try check.registry.withCurrent(body)
    for finding in check.findingsBlocking() { Reporter.report(finding, at: CallSite(fileID, filePath, line, column)) }
}

/// Asserts that every object and observer token created in a block and its child tasks is gone when the block ends.
///
/// See the synchronous overload.
public func assertLeakFree<Failure: Error>(
    _ rules: LeakRules = LeakRules(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Void
) async throws(Failure) {
    let check = LeakCheck(registry: .scoped(), rules: rules, subject: "the block")
    try await check.registry.withCurrent(body)
    for finding in await check.findings() { Reporter.report(finding, at: CallSite(fileID, filePath, line, column)) }
}

extension LifetimeRegistry {
    /// Creates a registry for one scope, with creation stacks on.
    static func scoped() -> LifetimeRegistry {
        let registry = LifetimeRegistry()
        registry.recordsCreationStacks = true
        return registry
    }

    /// Returns the record of an instance, or `nil` if the instance is not live or not listed.
    func record(of id: InstanceID) -> InstanceRecord? {
        snapshot().instances.first { $0.id == id }
    }
}
