#if canImport(Testing)
import Testing
#endif

/// Who runs the test.
enum TestFramework: Sendable {
    case swiftTesting
    case xcTest
    /// Neither is there.
    case none

    /// The framework of the calling test.
    ///
    /// Swift Testing knows which test a task belongs to. What runs outside its tasks, such as a detached one, belongs to whichever
    /// framework the process was started for: each has a process of its own under `swift test`.
    static var current: Self {
        #if canImport(Testing)
        if Test.current != nil { return .swiftTesting }
        #if canImport(XCTest)
        return isStartedForSwiftTesting ? .swiftTesting : .xcTest
        #else
        return .swiftTesting
        #endif
        #elseif canImport(XCTest)
        return .xcTest
        #else
        return .none
        #endif
    }

    // `swift test` starts the same program once for each framework, and tells it by this argument which one is meant.
    private static let isStartedForSwiftTesting: Bool = {
        let arguments = CommandLine.arguments
        guard let option = arguments.firstIndex(of: "--testing-library"), option + 1 < arguments.count else {
            return arguments.contains("--testing-library=swift-testing")
        }
        return arguments[option + 1] == "swift-testing"
    }()
}
