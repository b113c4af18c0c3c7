/// What `why` is asked for.
struct WhyOptions: Sendable, Equatable {
    let target: CheckTarget
    /// The instance.
    let instance: Int
    /// Every step of the path.
    let isFull: Bool
    /// The server's JSON instead of text.
    let isJSON: Bool
    /// Whatever was found before.
    let isFresh: Bool
    /// How long to wait for the answer.
    let timeout: Duration

    private static let usualTimeout = 60.0
    private static let longestTimeout = 3600.0

    /// What is asked unless somebody wants it otherwise.
    init(target: CheckTarget, instance: Int) {
        self.target = target
        self.instance = instance
        isFull = false
        isJSON = false
        isFresh = false
        timeout = .seconds(Self.usualTimeout)
    }

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = WhyCommand.syntax
        target = try CheckTarget(arguments.operands[0], of: syntax)
        let text = arguments.operands[1]
        // As the page and the messages write it, too.
        guard let instance = Arguments.count(in: text.hasPrefix("#") ? String(text.dropFirst()) : text) else {
            throw syntax.error("\"\(text)\" is not the id of an instance: give its number")
        }
        self.instance = instance
        isFull = arguments.text("--full") != nil
        isJSON = arguments.text("--json") != nil
        isFresh = arguments.text("--fresh") != nil
        timeout = .seconds(try arguments.seconds("--timeout", in: 0...Self.longestTimeout) ?? Self.usualTimeout)
    }
}
