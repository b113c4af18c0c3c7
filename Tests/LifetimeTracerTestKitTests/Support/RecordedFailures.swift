import LifetimeTracerTestKit
import XCTest

/// A test case that can collect failures for inspection.
///
/// Collected failures do not count.
class RecordingTestCase: XCTestCase {
    /// A failure as it is reported to XCTest.
    struct Failure {
        let text: String
        let file: String
        let line: Int

        var firstLine: String { text.split(separator: "\n").first.map(String.init) ?? "" }
    }

    private var recorded: [Failure]?

    /// Runs a part of a test and returns its failures.
    func recordedFailures(_ body: () throws -> Void) rethrows -> [Failure] {
        recorded = []
        defer { recorded = nil }
        try body()
        return recorded ?? []
    }

    /// Runs a test of another case without reporting it, and returns its failures.
    func failures<Case: XCTestCase>(of type: Case.Type, _ test: @escaping (Case) throws -> Void) -> [Failure] {
        let other = Case(name: "test") { testCase in
            guard let testCase = testCase as? Case else { return XCTFail("\(testCase) is no \(Case.self)") }
            try test(testCase)
        }
        (other as? InspectedCase)?.recorder = self
        return recordedFailures { other.invokeTest() }
    }

    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        guard recorded != nil else {
            return super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
        // XCTest adds a prefix to the message.
        let text = description.hasPrefix("failed - ") ? String(description.dropFirst(9)) : description
        recorded?.append(Failure(text: text, file: filePath, line: lineNumber))
    }
}

/// A test case whose failures go to the test that runs it.
class InspectedCase: LeakFreeTestCase {
    fileprivate var recorder: RecordingTestCase?

    override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        recorder?.recordFailure(
            withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
    }
}
