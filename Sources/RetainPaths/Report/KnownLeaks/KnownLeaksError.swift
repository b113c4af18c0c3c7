/// Why a list of known leaks cannot be used.
public struct KnownLeaksError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, with the value.
    public let message: String
    /// What to do.
    public let hint: String
    /// The file, if it came from one.
    public internal(set) var file: String?
    /// The line, from 1; `nil` when no line is to blame.
    public let line: Int?

    init(_ message: String, hint: String, line: Int? = nil, file: String? = nil) {
        self.message = message
        self.hint = hint
        self.line = line
        self.file = file
    }

    /// File, line, message and hint.
    public var description: String {
        let place = [file, line.map { "line \($0)" }].compactMap(\.self).joined(separator: ", ")
        return "\(place.isEmpty ? "Known leaks" : place): \(message) \(hint)"
    }
}
