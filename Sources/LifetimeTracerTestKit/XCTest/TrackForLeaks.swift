#if canImport(XCTest)
public import LifetimeTracer
public import XCTest

extension XCTestCase {
    /// Fails the test if an object is still live after the test's teardown.
    ///
    /// ```swift
    /// func makeScreen() -> Screen {
    ///     let screen = Screen()
    ///     trackForLeaks(screen)
    ///     return screen
    /// }
    /// ```
    /// The method does not retain the object. A property of the test case does, and outlives the test: set it to `nil`
    /// in `tearDown`.
    ///
    /// - Parameters:
    ///   - object: The object to track.
    ///   - delay: How long after the teardown the deallocation may take.
    ///   - reason: A human-readable reason why the object should be deallocated.
    ///   - fileID: The file and module of the call, for the report.
    ///   - filePath: The path of the file of the call, for the report.
    ///   - line: The line of the call, for the report.
    ///   - column: The column of the call, for the report.
    public func trackForLeaks<Object: Traced>(
        _ object: Object, within delay: Duration = .seconds(1), because reason: String = "the test is over",
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
    ) {
        let lifetime = object.lifetime
        let site = CallSite(fileID, filePath, line, column)
        addTeardownBlock {
            ReleaseCheck(
                lifetime, typeName: "\(Object.self)", within: delay, after: "the teardown", because: reason
            ).reportBlocking(at: site)
        }
    }
}
#endif
