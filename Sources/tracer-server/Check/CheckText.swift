/// A report as lines of text.
struct CheckText: Sendable {
    let lines: [String]

    /// The most details of one finding, in every output format.
    static let detailLimit = 20

    init(_ report: CheckReport) {
        let process = report.process
        lines =
            ["\(process.name) (pid \(process.pid)): \(report.live) live"] + report.findings.flatMap(Self.lines)
    }

    private static func lines(of finding: CheckFinding) -> [String] {
        switch finding.state {
        case .unknown: ["unknown: \(finding.title), no type with this name has been seen"]
        case .within: ["within: \(summary(of: finding))"]
        case .over: ["over:   \(summary(of: finding))"] + details(of: finding).map { "  \($0)" }
        }
    }

    /// Returns the count and its limit as text.
    static func summary(of finding: CheckFinding) -> String {
        let known =
            switch finding.known {
            case 0: ""
            case 1: " (plus 1 known leak)"
            default: " (plus \(finding.known) known leaks)"
            }
        return "\(finding.count ?? 0) \(finding.title), at most \(finding.limit)\(known)"
    }

    /// Returns the details of the count and the advice as lines.
    static func details(of finding: CheckFinding) -> [String] {
        let more = finding.details.count - detailLimit
        let shown = finding.details.prefix(detailLimit).flatMap { detail in
            [detail.text] + (detail.hint.map { ["  \($0)"] } ?? [])
        }
        return shown + (more > 0 ? ["and \(more) more"] : []) + (finding.advice.map { [$0] } ?? [])
    }
}
