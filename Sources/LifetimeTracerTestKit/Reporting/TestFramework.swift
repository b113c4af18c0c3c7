#if canImport(Testing)
import Testing
#endif

/// The framework that runs the test.
enum TestFramework: Sendable {
    case swiftTesting
    case xcTest
    /// The code does not run in a test of either framework.
    case none

    /// The framework of the calling test.
    ///
    /// Swift Testing knows the test of a task. Code outside its tasks, such as a detached task, is assigned to the
    /// framework for which the process was started: under `swift test` each framework has a process of its own.
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

    // `swift test` starts the same program once for each framework, and names the framework in this argument.
    private static let isStartedForSwiftTesting: Bool = {
        let arguments = CommandLine.arguments
        guard let option = arguments.firstIndex(of: "--testing-library"), option + 1 < arguments.count else {
            return arguments.contains("--testing-library=swift-testing")
        }
        return arguments[option + 1] == "swift-testing"
    }()
}
