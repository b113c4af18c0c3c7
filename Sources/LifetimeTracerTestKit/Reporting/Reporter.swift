#if canImport(Testing)
import Testing
#endif
#if canImport(XCTest)
import XCTest
#endif

/// Hands findings to the framework that runs the test.
enum Reporter {
    /// Reports a finding where the test expected otherwise.
    static func report(_ finding: Finding, at site: CallSite) {
        switch TestFramework.current {
        case .swiftTesting:
            #if canImport(Testing)
            record(
                finding,
                at: SourceLocation(
                    fileID: site.fileID, filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column)))
            #endif
        case .xcTest:
            #if canImport(XCTest)
            fail(finding, file: site.filePath, line: site.line)
            #endif
        case .none:
            fatalError(finding.text)
        }
    }

    #if canImport(Testing)
    /// Reports a finding to Swift Testing.
    static func record(_ finding: Finding, at location: SourceLocation) {
        #if compiler(>=6.3)
        Issue.record(
            Comment(rawValue: finding.text), severity: finding.weight == .failure ? .error : .warning,
            sourceLocation: location)
        #else
        // Before 6.3 it knew no warnings either.
        switch finding.weight {
        case .failure: Issue.record(Comment(rawValue: finding.text), sourceLocation: location)
        case .warning: StandardError.write("\(location.fileID):\(location.line): warning: \(finding.text)\n")
        }
        #endif
    }
    #endif

    #if canImport(XCTest)
    /// Reports a finding to XCTest, which knows no warnings: one is written to standard error.
    static func fail(_ finding: Finding, file: StaticString, line: UInt) {
        switch finding.weight {
        case .failure:
            XCTFail(finding.text, file: file, line: line)
        case .warning:
            StandardError.write("\(file):\(line): warning: \(finding.text)\n")
        }
    }
    #endif
}
