public import LifetimeTracer

/// Expects that a reference is the last one: gives it up, and waits until the object is gone.
///
/// ```swift
/// var screen: Screen? = Screen()
/// navigation.show(screen)
/// navigation.dismiss()
/// await expectReleased(&screen, within: .seconds(1), because: "dismissed")
/// ```
/// Returns the moment the object's `deinit` has begun: nothing is asked again and again. The variable is `nil` afterwards. An object has
/// to be traced to be waited for; for any other class store a `LifetimeToken` in it.
///
/// - Parameters:
///   - reference: The test's own reference; `nil` means that the object is gone already.
///   - delay: How long it may take.
///   - reason: Why it should be gone, in words for people.
public func expectReleased<Object: Traced>(
    _ reference: inout Object?, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
) async {
    guard let check = takeReference(&reference, within: delay, because: reason) else { return }
    await check.report(at: CallSite(fileID, filePath, line, column))
}

/// Expects that a reference is the last one: gives it up, and blocks the thread until the object is gone.
///
/// See the form with `async`. Do not block the main actor where the object needs it in order to go; on the main thread of XCTest the run
/// loop goes on.
@_disfavoredOverload
public func expectReleased<Object: Traced>(
    _ reference: inout Object?, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    guard let check = takeReference(&reference, within: delay, because: reason) else { return }
    check.reportBlocking(at: CallSite(fileID, filePath, line, column))
}

/// Expects that the object behind a weak reference goes, and waits until it has.
///
/// ```swift
/// weak let screen = navigation.top
/// navigation.pop()
/// await expectReleased(screen, within: .seconds(1))
/// ```
/// Any other variable would hold the object through the wait: hand those over with `&`.
///
/// - Parameters:
///   - object: The object; `nil` means that it is gone already.
///   - delay: How long it may take.
///   - reason: Why it should be gone, in words for people.
public func expectReleased<Object: Traced>(
    _ object: consuming Object?, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
) async {
    guard let check = takeReference(&object, within: delay, because: reason) else { return }
    await check.report(at: CallSite(fileID, filePath, line, column))
}

/// Expects that the object behind a weak reference goes, and blocks the thread until it has.
///
/// See the forms with `async` and with `inout`.
@_disfavoredOverload
public func expectReleased<Object: Traced>(
    _ object: consuming Object?, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    guard let check = takeReference(&object, within: delay, because: reason) else { return }
    check.reportBlocking(at: CallSite(fileID, filePath, line, column))
}

/// Expects that an object goes of which only the ``LifetimeTracer/Lifetime`` is at hand, and waits until it has.
public func expectReleased(
    _ lifetime: Lifetime, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
) async {
    await ReleaseCheck(lifetime, within: delay, because: reason).report(at: CallSite(fileID, filePath, line, column))
}

/// Expects that an object goes of which only the ``LifetimeTracer/Lifetime`` is at hand, and blocks the thread until it has.
@_disfavoredOverload
public func expectReleased(
    _ lifetime: Lifetime, within delay: Duration = .seconds(1), because reason: String? = nil,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
) {
    ReleaseCheck(lifetime, within: delay, because: reason)
        .reportBlocking(at: CallSite(fileID, filePath, line, column))
}

/// Takes a reference and lets it go.
///
/// Not inlined: whatever copies a caller's frame would keep of the reference end with this function's.
@inline(never)
func takeReference<Object: Traced>(
    _ reference: inout Object?, within delay: Duration, because reason: String?
) -> ReleaseCheck? {
    guard let lifetime = reference?.lifetime else { return nil }
    reference = nil
    return ReleaseCheck(lifetime, typeName: "\(Object.self)", within: delay, because: reason)
}

extension ReleaseCheck {
    /// Waits in a task, and reports the object if it has not gone.
    func report(at site: CallSite) async {
        if let finding = await finding() { Reporter.report(finding, at: site) }
    }

    /// Blocks the thread, and reports the object if it has not gone.
    func reportBlocking(at site: CallSite) {
        if let finding = findingBlocking() { Reporter.report(finding, at: site) }
    }
}
