/// A report in lines for people.
struct CheckText: Sendable {
    let lines: [String]

    /// The most details that are given of one limit, here and in every other form of output.
    static let detailLimit = 20

    init(_ report: CheckReport) {
        let process = report.process
        lines =
            ["\(process.name) (pid \(process.pid)): \(report.live) live"] + report.findings.flatMap(Self.lines)
    }

    private static func lines(of finding: CheckFinding) -> [String] {
        switch finding.state {
        case .unknown: ["unknown: \(finding.title), no such type has been seen"]
        case .within: ["within: \(summary(of: finding))"]
        case .over: ["over:   \(summary(of: finding))"] + details(of: finding).map { "  \($0)" }
        }
    }

    /// The count against its limit.
    static func summary(of finding: CheckFinding) -> String {
        let known =
            switch finding.known {
            case 0: ""
            case 1: " (1 known leak more)"
            default: " (\(finding.known) known leaks more)"
            }
        return "\(finding.count ?? 0) \(finding.title), at most \(finding.limit)\(known)"
    }

    /// What the count is made of, and what to do.
    static func details(of finding: CheckFinding) -> [String] {
        let more = finding.details.count - detailLimit
        let shown = finding.details.prefix(detailLimit).flatMap { detail in
            [detail.text] + (detail.hint.map { ["  \($0)"] } ?? [])
        }
        return shown + (more > 0 ? ["and \(more) more"] : []) + (finding.advice.map { [$0] } ?? [])
    }
}
