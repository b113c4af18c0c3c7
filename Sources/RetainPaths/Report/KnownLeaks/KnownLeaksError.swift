public import LifetimeTracer

/// The reason for which a list of known leaks cannot be used.
public struct KnownLeaksError: DescribedError, Hashable {
    /// The problem, with the value in question.
    public let message: String
    /// The remedy.
    public let hint: String
    /// The file, if the list came from a file.
    public internal(set) var file: String?
    /// The line, counted from 1; `nil` if the problem is not on a particular line.
    public let line: Int?

    init(_ message: String, hint: String, line: Int? = nil, file: String? = nil) {
        self.message = message
        self.hint = hint
        self.line = line
        self.file = file
    }

    /// The file, line, message and hint.
    public var description: String {
        let place = [file, line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
        return "\(place.isEmpty ? "Known leaks" : place): \(message) \(hint)"
    }
}
