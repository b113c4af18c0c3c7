public import LifetimeTracer

/// Expects that a reference is the last strong one: releases it and waits until the object is deallocated.
///
/// ```swift
/// var screen: Screen? = Screen()
/// navigation.show(screen)
/// navigation.dismiss()
/// await expectReleased(&screen, within: .seconds(1), because: "dismissed")
/// ```
/// Returns as soon as the object's death is recorded, without polling. The variable is `nil` afterwards. Only traced
/// objects can be awaited; to await another class, store a `LifetimeToken` in it and conform it to `Traced`.
///
/// - Parameters:
///   - reference: The test's own reference; `nil` means that the object is already gone.
///   - delay: The time allowed for deallocation.
///   - reason: A human-readable reason why the object should be deallocated.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
///   - isolation: The actor of the caller.
public func expectReleased<Object: Traced>(
    _ reference: inout Object?, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation
) async {
    guard let check = takeReference(&reference, within: delay, because: reason) else { return }
    await check.report(at: CallSite(fileID, filePath, line, column))
}

/// Expects that a reference is the last strong one: releases it and blocks the thread until the object is deallocated.
///
/// See the `async` overload. Do not block the main actor if the object needs it in order to be deallocated. On the main
/// thread of an XCTest test the run loop keeps running.
@_disfavoredOverload
public func expectReleased<Object: Traced>(
    _ reference: inout Object?, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    guard let check = takeReference(&reference, within: delay, because: reason) else { return }
    check.reportBlocking(at: CallSite(fileID, filePath, line, column))
}

/// Expects that an object that the test does not hold is deallocated, and waits for its deallocation.
///
/// ```swift
/// let lifetime = navigation.top?.lifetime
/// navigation.pop()
/// await expectReleased(lifetime, within: .seconds(1))
/// ```
/// A `Lifetime` consists of an id and a registry, and holds nothing.
///
/// - Parameters:
///   - lifetime: The lifetime of the object; `nil` means that the object is already gone.
///   - delay: The time allowed for deallocation.
///   - reason: A human-readable reason why the object should be deallocated.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
///   - isolation: The actor of the caller.
public func expectReleased(
    _ lifetime: Lifetime?, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation
) async {
    guard let lifetime else { return }
    await ReleaseCheck(lifetime, within: delay, because: reason).report(at: CallSite(fileID, filePath, line, column))
}

/// Expects that an object that the test does not hold is deallocated, and blocks the thread until then.
///
/// See the `async` and `inout` overloads.
@_disfavoredOverload
public func expectReleased(
    _ lifetime: Lifetime?, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    guard let lifetime else { return }
    ReleaseCheck(lifetime, within: delay, because: reason)
        .reportBlocking(at: CallSite(fileID, filePath, line, column))
}

/// Takes a reference and releases it.
///
/// Not inlined: copies of the reference that the compiler would keep in the caller's frame end with the frame of this
/// function.
@inline(never)
func takeReference<Object: Traced>(
    _ reference: inout Object?, within delay: Duration, because reason: String?
) -> ReleaseCheck? {
    guard let lifetime = reference?.lifetime else { return nil }
    reference = nil
    return ReleaseCheck(lifetime, typeName: "\(Object.self)", within: delay, because: reason)
}

extension ReleaseCheck {
    /// Waits in a task, and reports the object if it is still live.
    func report(at site: CallSite) async {
        if let finding = await finding() { Reporter.report(finding, at: site) }
    }

    /// Blocks the thread, and reports the object if it is still live.
    func reportBlocking(at site: CallSite) {
        if let finding = findingBlocking() { Reporter.report(finding, at: site) }
    }
}
