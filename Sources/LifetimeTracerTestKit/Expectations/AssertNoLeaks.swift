import LifetimeTracer

/// Asserts that a block leaves no objects of any class that only hold each other.
///
/// ```swift
/// assertNoLeaks {
///     let flow = LoginFlow()
///     flow.start()
/// }
/// ```
/// The classes need no base class and no token. The heap of the process is searched before and after the block, in
/// frozen copies of the process; a cycle that came to be in between fails the test, with its path. That takes a few
/// hundred milliseconds. The search sees the whole process, so leaks of other tests that run at the same time count as
/// well. An object that something still holds is not leaked; `assertLeakFree` reports such objects if they are traced.
/// Where the heap cannot be searched, there is a warning.
///
/// - Parameters:
///   - rules: The severity, the reason, and the known leaks.
///   - body: The code under test.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
@_disfavoredOverload
public func assertNoLeaks(
    _ rules: LeakRules = LeakRules(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, _ body: () throws -> Void
) rethrows {
    let check = HeapLeakCheck.beginBlocking(rules, subject: "the block")
    try body()
    let site = CallSite(fileID, filePath, line, column)
    for finding in check.findingsBlocking() { Reporter.report(finding, at: site) }
}

/// Asserts that a block and its child tasks leave no objects of any class that only hold each other.
///
/// See the synchronous overload.
public func assertNoLeaks<Failure: Error>(
    _ rules: LeakRules = LeakRules(), fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Void
) async throws(Failure) {
    let check = await HeapLeakCheck.begin(rules, subject: "the block")
    try await body()
    let site = CallSite(fileID, filePath, line, column)
    for finding in await check.findings() { Reporter.report(finding, at: site) }
}
