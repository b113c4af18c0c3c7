import Foundation

/// How a check ended, as all its forms of output tell it.
struct CheckOutcome: Sendable {
    enum Verdict: String, Sendable {
        case within, over, unknown
    }

    let address: ServerAddress
    let checkedAt: Date
    /// How long the check took, with all its tries.
    let duration: Duration
    /// What the last look says; `nil` when there was no answer that can be used.
    let report: CheckReport?
    /// Why the check cannot tell; `nil` when it can.
    let reason: String?

    var verdict: Verdict {
        guard let report, reason == nil else { return .unknown }
        return report.isOver ? .over : .within
    }

    var exitCode: ExitCode {
        switch verdict {
        case .within: .success
        case .over: .failure
        case .unknown: .unknown
        }
    }

    init(
        _ result: Result<CheckReport, ClientFailure>, of address: ServerAddress, at checkedAt: Date,
        took duration: Duration
    ) {
        self.address = address
        self.checkedAt = checkedAt
        self.duration = duration
        switch result {
        case .success(let report):
            self.report = report
            // What is over is known, whatever else is not.
            let unknown = report.isOver ? [] : report.unknownTypes
            reason =
                unknown.isEmpty
                ? nil
                : "no such type has been seen: \(unknown.joined(separator: ", ")); give it as /api/v1/types shows it, "
                    + "or --wait for it"
        case .failure(let failure):
            report = nil
            reason = failure.description
        }
    }
}
