public import LifetimeTracer

/// Expects that an object that a block makes and returns is gone afterwards: that nothing the block did with it keeps it.
///
/// ```swift
/// expectDeallocated(because: "its flow has ended") {
///     let flow = LoginFlow()
///     flow.start()
///     flow.end()
///     return flow
/// }
/// ```
/// Blocks the thread until the object goes. The object is recorded where it always is; only this one is looked at.
///
/// - Parameters:
///   - delay: The time after which it must be gone.
///   - reason: Why it should be gone, in words for people.
///   - make: Makes the object, does with it what is to be tried, and returns it.
@_disfavoredOverload
public func expectDeallocated<Object: Traced>(
    after delay: Duration = .seconds(1), because reason: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column, _ make: () throws -> Object
) rethrows {
    var object: Object? = try make()
    guard let check = takeReference(&object, within: delay, because: reason) else { return }
    check.reportBlocking(at: CallSite(fileID, filePath, line, column))
}

/// Expects that an object that a block makes and returns is gone afterwards: that nothing the block did with it keeps it.
///
/// See the form without `async`.
public func expectDeallocated<Object: Traced>(
    after delay: Duration = .seconds(1), because reason: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation, _ make: () async throws -> Object
) async rethrows {
    var object: Object? = try await make()
    guard let check = takeReference(&object, within: delay, because: reason) else { return }
    await check.report(at: CallSite(fileID, filePath, line, column))
}
