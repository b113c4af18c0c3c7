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
            preconditionFailure(finding.text)
        }
    }

    #if canImport(Testing)
    /// Reports a finding to Swift Testing.
    static func record(_ finding: Finding, at location: SourceLocation) {
        Issue.record(
            Comment(rawValue: finding.text), severity: finding.weight == .failure ? .error : .warning,
            sourceLocation: location)
    }
    #endif

    #if canImport(XCTest)
    /// Reports a finding to XCTest, which knows no warnings: one is written to standard error.
    static func fail(_ finding: Finding, file: StaticString, line: UInt) {
        switch finding.weight {
        case .failure:
            XCTFail(finding.text, file: file, line: line)
        case .warning:
            FileHandle.standardError.write(Data("\(file):\(line): warning: \(finding.text)\n".utf8))
        }
    }
    #endif
}
