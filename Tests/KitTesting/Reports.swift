import Foundation
import LifetimeTracer
public import LifetimeTracerTestKit
import Patience
import RetainPaths
public import Testing
public import XCTest

/// The lines that a deliberately leaking test must report.
public struct ReportWanted: Sendable {
    /// Parts of lines, which must occur in this order.
    ///
    /// Other lines may stand between them.
    let lines: [String]
    /// Parts of the lines of the retain path, in the same way.
    ///
    /// Not checked where searches are impossible.
    let pathLines: [String]

    /// Creates the description of a report.
    public init(lines: [String], pathLines: [String]) {
        (self.lines, self.pathLines) = (lines, pathLines)
    }

    /// A wanted part that is missing in the reports, or `nil`.
    func missing(in texts: [String]) async -> String? {
        var wanted = [lines]
        if case .available = await RetainPaths.availability() { wanted.append(pathLines) }
        for lines in wanted {
            var left = texts.joined(separator: "\n").split(separator: "\n")[...]
            for line in lines {
                guard let found = left.firstIndex(where: { $0.contains(line) }) else {
                    return "there is no line '\(line)' at its place in:\n\(texts.joined(separator: "\n"))"
                }
                left = left[(found + 1)...]
            }
        }
        return nil
    }
}

/// Makes each test of a suite expect a failure.
///
/// A test without a failure, or with another report, fails.
public struct ReportsTrait: SuiteTrait, TestTrait, TestScoping {
    let wanted: ReportWanted

    /// Creates the trait for a report.
    public init(wanted: ReportWanted) { self.wanted = wanted }

    /// Always true: each test of a suite is checked by itself.
    public var isRecursive: Bool { true }

    /// Checks each case of a test; a suite and the test around the cases have no report.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? {
        testCase == nil ? nil : self
    }

    /// Runs a test and compares its report.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let issues = try await recordedIssues(function)
        if ProcessInfo.processInfo.environment["SHOW_REPORTS"] != nil { for i in issues { print("<<<\(i.text)>>>") } }
        let hasFailed = issues.contains { $0.isFailure }
        #expect(hasFailed, "it must fail", sourceLocation: test.sourceLocation)
        if let missing = await wanted.missing(in: issues.map(\.text)) {
            Issue.record("\(missing)", sourceLocation: test.sourceLocation)
        }
    }
}

extension Trait where Self == ReportsTrait {
    /// Each test must fail and report these lines.
    public static func reports(_ lines: [String], path: [String] = []) -> Self {
        Self(wanted: ReportWanted(lines: lines, pathLines: path))
    }
}

/// A base class for XCTest tests that must fail with a report.
open class ReportingTestCase: LeakFreeTestCase {
    /// The report that each test must make.
    open class var wanted: ReportWanted { ReportWanted(lines: [], pathLines: []) }

    private var texts: [String]?

    /// Runs the test and compares its report.
    open override func invokeTest() {
        texts = []
        super.invokeTest()
        let texts = texts ?? []
        self.texts = nil
        XCTAssertFalse(texts.isEmpty, "it must fail")
        // The test has already found the answer, so this wait does not block.
        let done = XCTestExpectation(description: "compared")
        let wanted = Self.wanted
        let result = Locked<String?>(nil)
        Task {
            let missing = await wanted.missing(in: texts)
            result.withLock { $0 = missing }
            done.fulfill()
        }
        XCTAssertEqual(XCTWaiter().wait(for: [done], timeout: TimeInterval(Patience.seconds)), .completed)
        if let missing = result.withLock({ $0 }) { XCTFail(missing) }
    }

    /// Keeps the report instead of failing the test.
    open override func recordFailure(
        withDescription description: String, inFile filePath: String, atLine lineNumber: Int, expected: Bool
    ) {
        guard texts != nil else {
            return super.recordFailure(
                withDescription: description, inFile: filePath, atLine: lineNumber, expected: expected)
        }
        texts?.append(description.hasPrefix("failed - ") ? String(description.dropFirst(9)) : description)
    }
}
