import LifetimeTracer

/// Asserts that all that a block makes is gone when it ends.
///
/// ```swift
/// assertLeakFree {
///     let flow = LoginFlow()
///     flow.start()
///     flow.end()
/// }
/// ```
/// The block is traced in a registry of its own: what others make meanwhile is not seen. What it hands to threads that are not
/// its child tasks' is seen where they are bound to that registry: take `LifetimeRegistry.current` in the block and call
/// its `withCurrent` there. Blocks the thread while it waits for what has not gone yet; the run loop of XCTest's main thread goes on.
///
/// - Parameters:
///   - rules: What may be left.
///   - body: What is looked at.
@_disfavoredOverload
public func assertLeakFree(
    _ rules: LeakRules = LeakRules(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, _ body: () throws -> Void
) rethrows {
    let check = LeakCheck(registry: .scoped(), rules: rules, subject: "the block")
    try check.registry.withCurrent(body)
    for finding in check.findingsBlocking() { Reporter.report(finding, at: CallSite(fileID, filePath, line, column)) }
}

/// Asserts that all that a block makes is gone when it ends, child tasks included.
///
/// See the form without `async`.
public func assertLeakFree(
    _ rules: LeakRules = LeakRules(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void
) async rethrows {
    let check = LeakCheck(registry: .scoped(), rules: rules, subject: "the block")
    try await check.registry.withCurrent(body)
    for finding in await check.findings() { Reporter.report(finding, at: CallSite(fileID, filePath, line, column)) }
}

extension LifetimeRegistry {
    /// A registry for one scope, which records where its objects are made.
    static func scoped() -> LifetimeRegistry {
        let registry = LifetimeRegistry()
        registry.recordsCreationStacks = true
        return registry
    }

    /// What is known of an instance; `nil` when it is not live or not listed.
    func record(of id: InstanceID) -> InstanceRecord? {
        snapshot().instances.first { $0.id == id }
    }
}
