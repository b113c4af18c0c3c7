/// The options of `leaks`.
struct LeaksOptions: Sendable {
    let address: ServerAddress
    /// The most leaks to print.
    let count: Int
    /// Whether to print JSON instead of text.
    let isJSON: Bool
    /// The time to wait for the capture.
    var timeout: ResultTimeout
    /// The file with the access token; `nil` to use the environment's.
    let tokenFile: String?

    static let usualCount = 30

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = LeaksCommand.syntax
        address = try ServerAddress(arguments.operands[0], of: syntax)
        isJSON = arguments.text("--json") != nil
        count = try arguments.entryCount(usually: Self.usualCount, isJSON: isJSON)
        let range = 0...HeapOptions.longestTimeout
        let seconds = try arguments.seconds("--timeout", in: range) ?? HeapOptions.usualTimeout
        timeout = ResultTimeout(duration: .seconds(seconds))
        tokenFile = arguments.text("--token-file")
    }
}
