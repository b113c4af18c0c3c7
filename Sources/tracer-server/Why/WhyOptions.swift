/// The options of `why`.
struct WhyOptions: Sendable {
    /// The subject of the question.
    enum Subject: Sendable, Equatable {
        /// An instance, by its id.
        case instance(Int)
        /// A type, by its full name or the name without the module.
        case type(String)
    }

    let address: ServerAddress
    let subject: Subject
    /// Whether to print every step of the path.
    let isFull: Bool
    /// Whether to print JSON instead of text.
    let isJSON: Bool
    /// Whether to search again although a result is kept.
    let isFresh: Bool
    /// The most instances of a type that the search covers.
    let sample: Int
    /// The time to wait for the answer.
    var timeout: ResultTimeout
    /// The file with the access token; `nil` to use the environment's.
    let tokenFile: String?

    static let usualSample = 20
    static let longestSample = 100
    static let usualTimeout = 60.0
    private static let longestTimeout = 3600.0

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = WhyCommand.syntax
        address = try ServerAddress(arguments.operands[0], of: syntax)
        subject = try Self.subject(in: arguments.operands[1])
        isFull = arguments.text("--full") != nil
        isJSON = arguments.text("--json") != nil
        isFresh = arguments.text("--fresh") != nil
        let sample = try arguments.count("--sample")
        if let sample, case .instance = subject {
            throw syntax.error("--sample \(sample) applies only to a TYPE, not to an ID")
        }
        if let sample, !(1...Self.longestSample).contains(sample) {
            throw syntax.error("--sample \"\(sample)\" is not a number from 1 to \(Self.longestSample)")
        }
        self.sample = sample ?? Self.usualSample
        let seconds = try arguments.seconds("--timeout", in: 0...Self.longestTimeout) ?? Self.usualTimeout
        timeout = ResultTimeout(duration: .seconds(seconds))
        tokenFile = arguments.text("--token-file")
    }

    private static func subject(in text: String) throws(UsageError) -> Subject {
        // `#` is allowed, because the page and the messages write an id like that.
        if let id = Arguments.count(in: text.hasPrefix("#") ? String(text.dropFirst()) : text) { return .instance(id) }
        // No name of a type begins like that.
        guard let first = text.unicodeScalars.first, first != "#", first != "-", !("0"..."9").contains(first) else {
            throw WhyCommand.syntax.error("\"\(text)\" is neither an instance id nor a type name")
        }
        return .type(text)
    }
}
