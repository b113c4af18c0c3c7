/// The error for an invalid command line.
struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The words that call the command.
    let call: String
    /// The problem, with the offending value.
    let problem: String

    var description: String { "\(call): \(problem) (see \(call) --help)" }
}
