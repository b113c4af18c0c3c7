public import LifetimeTracer

/// Expects that the object that a block returns is deallocated after the block, because nothing else retains it.
///
/// ```swift
/// expectDeallocated(because: "its flow has ended") {
///     let flow = LoginFlow()
///     flow.start()
///     flow.end()
///     return flow
/// }
/// ```
/// Blocks the thread until the object is deallocated or the delay has passed. The object is recorded in the current
/// registry, and only this object is checked.
///
/// - Parameters:
///   - delay: The time allowed for deallocation.
///   - reason: A human-readable reason why the object should be deallocated.
///   - make: Creates the object, exercises it and returns it.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
@_disfavoredOverload
public func expectDeallocated<Object: Traced, Failure: Error>(
    after delay: Duration = .seconds(1), because reason: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column, _ make: () throws(Failure) -> Object
) throws(Failure) {
    var object: Object? = try make()
    guard let check = takeReference(&object, within: delay, because: reason) else { return }
    check.reportBlocking(at: CallSite(fileID, filePath, line, column))
}

/// Expects that the object that a block returns is deallocated after the block, because nothing else retains it.
///
/// See the synchronous overload.
public func expectDeallocated<Object: Traced, Failure: Error>(
    after delay: Duration = .seconds(1), because reason: String, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: Int = #line, column: Int = #column,
    isolation: isolated (any Actor)? = #isolation, _ make: () async throws(Failure) -> Object
) async throws(Failure) {
    var object: Object? = try await make()
    guard let check = takeReference(&object, within: delay, because: reason) else { return }
    await check.report(at: CallSite(fileID, filePath, line, column))
}
