#if canImport(XCTest)
public import LifetimeTracer
public import XCTest

extension XCTestCase {
    /// Fails the test when an object is still alive after its teardown.
    ///
    /// ```swift
    /// func makeScreen() -> Screen {
    ///     let screen = Screen()
    ///     trackForLeaks(screen)
    ///     return screen
    /// }
    /// ```
    /// The object is not held. A property of the test case holds it, and lives longer than the test: set it to `nil` in `tearDown`.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - delay: How long after the teardown it may take.
    ///   - reason: Why it should be gone, in words for people.
    public func trackForLeaks<Object: Traced>(
        _ object: Object, within delay: Duration = .seconds(1), because reason: String = "the test is over",
        fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
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
