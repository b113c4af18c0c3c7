import LifetimeTracer

/// An error response to a request, with a remedy for the client.
package struct RequestError: DescribedError {
    /// The HTTP status, 400 or above.
    package var status: Int
    /// A name of the error for programs: `unknownParameter`.
    package var code: String
    /// The problem, with the offending value.
    package var message: String
    /// The remedy.
    package var hint: String
    /// Header fields of the response, such as `Allow`.
    package var headers: HTTPHeaders

    /// The death of the instance in question, if it has died.
    var death: Death?

    /// A death, as an error reports it.
    struct Death: Sendable {
        /// The time of death; `nil` if it is no longer remembered.
        let at: Timestamp?
    }

    /// Creates an error.
    package init(status: Int, code: String, message: String, hint: String, headers: HTTPHeaders = []) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.headers = headers
    }

    /// The error without its header fields, on one line.
    package var description: String { "\(status) \(code): \(message) \(hint)" }
}
