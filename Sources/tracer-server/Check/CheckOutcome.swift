import LifetimeTracer

/// The outcome of a check, from which all output formats are made.
struct CheckOutcome: Sendable {
    enum Verdict: String, Sendable {
        case within, over, unknown
    }

    let address: ServerAddress
    let checkedAt: WallTime
    /// The duration of the check, including all tries.
    let duration: Duration
    /// The result of the last try; `nil` if the server gave no usable answer.
    let report: CheckReport?
    /// The reason why the outcome is unknown; `nil` if it is known.
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
        _ result: Result<CheckReport, ClientFailure>, of address: ServerAddress, at checkedAt: WallTime,
        took duration: Duration
    ) {
        self.address = address
        self.checkedAt = checkedAt
        self.duration = duration
        switch result {
        case .success(let report):
            self.report = report
            // If a count exceeds its limit, the outcome is certain despite unknown types.
            let unknown = report.isOver ? [] : report.unknownTypes
            reason =
                unknown.isEmpty
                ? nil
                : "no type named \(unknown.map { "\"\($0)\"" }.joined(separator: " or ")) has been seen; "
                    + "/api/v1/types lists all types, and --wait waits for a type"
        case .failure(let failure):
            report = nil
            reason = failure.description
        }
    }
}
