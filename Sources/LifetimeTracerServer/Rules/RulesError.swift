import LifetimeTracer
import RetainPaths
import TracerBase

/// The reason why rules cannot be used.
package struct RulesError: DescribedError, Hashable {
    /// The problem, with the value in question.
    package let message: String
    /// The remedy.
    package let hint: String
    /// The file, if the rules came from a file.
    package internal(set) var file: String?
    /// The line, counted from 1; `nil` if the problem is not on a particular line.
    package let line: Int?

    init(_ message: String, hint: String, line: Int? = nil, file: String? = nil) {
        self.message = message
        self.hint = hint
        self.line = line
        self.file = file
    }

    /// The file and the line.
    package var place: String {
        let parts = [file, line.map { "line \($0)" }].compactMap(\.self)
        return parts.isEmpty ? "Rules" : parts.joined(separator: ", ")
    }

    /// The file, line, message and hint.
    package var description: String { "\(place): \(message) \(hint)" }
}

extension ServerError {
    init(_ error: RulesError) {
        self.init(.invalidRules, "rules file, \(error.place): \(error.message)", hint: error.hint)
    }
}

extension RulesError {
    init(_ error: KnownLeaksError) {
        self.init(error.message, hint: error.hint, line: error.line, file: error.file)
    }

    init(_ error: JSONError) {
        self.init(error.message, hint: error.hint, line: error.line)
    }

    init(_ failure: SmallFile.Failure) {
        let (problem, remedy) = failure.explanation(
            limit: Rules.fileLimit, shortening: "List fewer types, or use patterns with *.")
        self.init(problem, hint: remedy)
    }
}
