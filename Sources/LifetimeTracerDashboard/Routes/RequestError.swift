/// Why a request is not answered as it was meant, for the one who asked.
public struct RequestError: Error, Sendable, CustomStringConvertible {
    /// The HTTP status, from 400.
    public var status: Int
    /// A name for programs: `unknownParameter`.
    public var code: String
    /// What is wrong, with the value.
    public var message: String
    /// What to do.
    public var hint: String
    /// Header fields that belong to the answer, such as `Allow`.
    public var headers: HTTPHeaders

    /// That the instance in question has died.
    var death: Death?

    /// A death, as an error tells it.
    struct Death: Sendable {
        /// When it was; `nil` when that is no longer remembered.
        let at: Timestamp?
    }

    /// Creates an error.
    public init(status: Int, code: String, message: String, hint: String, headers: HTTPHeaders = []) {
        self.status = status
        self.code = code
        self.message = message
        self.hint = hint
        self.headers = headers
    }

    /// Everything but the header fields, in a line.
    public var description: String { "\(status) \(code): \(message) \(hint)" }
}
