import TracerBase

#if canImport(Testing)
import Testing
#endif
#if canImport(XCTest)
import XCTest
#endif

/// Passes findings to the framework that runs the test.
enum Reporter {
    /// Reports a finding at the place of the expectation.
    static func report(_ finding: Finding, at site: CallSite) {
        switch TestFramework.current {
        case .swiftTesting:
            #if canImport(Testing)
            record(
                finding,
                at: SourceLocation(
                    fileID: site.fileID, filePath: "\(site.filePath)", line: site.line, column: site.column))
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
        // Swift Testing has no warnings before 6.3.
        switch finding.weight {
        case .failure: Issue.record(Comment(rawValue: finding.text), sourceLocation: location)
        case .warning: StandardError.write("\(location.fileID):\(location.line): warning: \(finding.text)\n")
        }
        #endif
    }
    #endif

    #if canImport(XCTest)
    /// Reports a finding to XCTest; warnings go to standard error, because XCTest has none.
    static func fail(_ finding: Finding, file: StaticString, line: Int) {
        switch finding.weight {
        case .failure:
            XCTFail(finding.text, file: file, line: UInt(clamping: line))
        case .warning:
            StandardError.write("\(file):\(line): warning: \(finding.text)\n")
        }
    }
    #endif
}
