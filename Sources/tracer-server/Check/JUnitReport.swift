import LifetimeTracer
import TracerBase

/// The outcome of a check as JUnit XML: one suite with one test case for each limit.
///
/// The XML is valid against both schemas in use: that of Jenkins' xUnit plug-in, and that of Ant, which requires
/// properties and output.
struct JUnitReport: Sendable {
    let outcome: CheckOutcome

    private static let suiteName = "tracer-server check"

    var xml: String {
        let findings = outcome.report?.findings ?? []
        let cases = findings.map(Self.testCase) + (outcome.report == nil ? [unansweredCase] : [])
        let failures = findings.count { $0.state == .over }
        let errors = findings.count { $0.state == .unknown } + (outcome.report == nil ? 1 : 0)
        let seconds = Self.decimal(outcome.duration.seconds)
        let timestamp = TimestampText.withSeconds(
            nanosecondsSince1970: outcome.checkedAt.nanosecondsSince1970)
        let host = outcome.report?.process.host ?? ""
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <testsuites>
              <testsuite id="0" package="LifetimeTracer" name=\(Self.quoted(Self.suiteName)) \
            timestamp=\(Self.quoted(timestamp)) hostname=\(Self.quoted(host.isEmpty ? "localhost" : host)) \
            tests="\(cases.count)" failures="\(failures)" errors="\(errors)" time="\(seconds)">
                <properties>
                  <property name="server" value=\(Self.quoted(outcome.address.description))/>
            \(outcome.report.map { Self.properties(of: $0.process) } ?? "")    </properties>
            \(cases.joined())    <system-out></system-out>
                <system-err></system-err>
              </testsuite>
            </testsuites>

            """
    }

    private static func properties(of process: WireSummary.Process) -> String {
        [("process", process.name), ("pid", String(process.pid))].map { name, value in
            "      <property name=\"\(name)\" value=\(quoted(value))/>\n"
        }.joined()
    }

    private static func testCase(_ finding: CheckFinding) -> String {
        let name = finding.type.map { "live \($0)" } ?? finding.kind.words(for: 0)
        switch finding.state {
        case .within:
            return testCase(name)
        case .over:
            return testCase(
                name, "failure", type: finding.kind.rawValue, message: CheckText.summary(of: finding),
                details: CheckText.details(of: finding))
        case .unknown:
            return testCase(
                name, "error", type: "unknownType", message: "no type named \"\(finding.type ?? "")\" has been seen")
        }
    }

    private var unansweredCase: String {
        Self.testCase("the server answers", "error", type: "noAnswer", message: outcome.reason ?? "")
    }

    private static func testCase(
        _ name: String, _ element: String? = nil, type: String = "", message: String = "", details: [String] = []
    ) -> String {
        let start = "    <testcase classname=\(quoted("LifetimeTracer")) name=\(quoted(name)) time=\"0\""
        guard let element else { return start + "/>\n" }
        let text = ([message] + details).map(escaped).joined(separator: "\n")
        return """
            \(start)>
                  <\(element) type=\(quoted(type)) message=\(quoted(message))>\(text)</\(element)>
                </testcase>

            """
    }

    private static func quoted(_ text: String) -> String {
        "\"\(escaped(text))\""
    }

    /// Returns the text with markup characters escaped and characters that XML 1.0 forbids replaced.
    private static func escaped(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.printable.unicodeScalars {
            switch scalar {
            case "&": result.append(contentsOf: "&amp;".unicodeScalars)
            case "<": result.append(contentsOf: "&lt;".unicodeScalars)
            case ">": result.append(contentsOf: "&gt;".unicodeScalars)
            case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
            case "\u{FFFE}", "\u{FFFF}": result.append("\u{FFFD}")
            default: result.append(scalar)
            }
        }
        return String(result)
    }

    /// Returns the number with three decimals and a point, regardless of the locale.
    private static func decimal(_ seconds: Double) -> String {
        let thousandths = Int((seconds * 1000).rounded())
        return "\(thousandths / 1000).\(String(1000 + thousandths % 1000).dropFirst())"
    }
}
