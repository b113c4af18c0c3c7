/// The reason why a text is not accepted as JSON.
package struct JSONError: Error, Sendable, Hashable {
    /// The problem.
    package let message: String
    /// The remedy.
    package let hint: String
    /// The line, counted from 1.
    package let line: Int

    init(_ message: String, hint: String, line: Int) {
        self.message = message
        self.hint = hint
        self.line = line
    }
}
