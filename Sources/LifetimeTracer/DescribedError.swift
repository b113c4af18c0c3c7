/// An error that says what failed, with the value in question, and what to do.
///
/// All public errors of the package conform. Each prints as one line: the message, then the hint.
public protocol DescribedError: Error, Sendable, CustomStringConvertible {
    /// The description of the failure, with the offending value.
    var message: String { get }
    /// The remedy.
    var hint: String { get }
}

extension DescribedError {
    /// The message and the hint in one line, as one sentence, or as two if the message ends with a full stop.
    public var description: String {
        guard !hint.isEmpty else { return message }
        guard message.hasSuffix(".") else { return "\(message); \(hint)" }
        return "\(message) \(hint.prefix(1).uppercased())\(hint.dropFirst())"
    }
}
