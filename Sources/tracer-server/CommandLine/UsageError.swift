/// A command line that cannot be understood.
struct UsageError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The words that call the command.
    let call: String
    /// What is wrong, with the value.
    let problem: String

    var description: String { "\(call): \(problem) (see \(call) --help)" }
}
