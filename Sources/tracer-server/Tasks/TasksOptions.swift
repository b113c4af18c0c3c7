/// The options of `tasks`.
struct TasksOptions: Sendable {
    /// The states of Tasks, as the server names them.
    static let states = ["continuation", "task", "child", "actor", "suspended", "ready", "sleep", "running"]

    let address: ServerAddress
    /// The only state to print; `nil` for all.
    let state: String?
    /// Whether to print only Tasks in functions of the program.
    let isOfProgram: Bool
    /// The most entries to print.
    let count: Int
    /// Whether to print JSON instead of text.
    let isJSON: Bool
    /// The time to wait for the capture.
    var timeout: ResultTimeout
    /// The file with the access token; `nil` to use the environment's.
    let tokenFile: String?

    static let usualCount = 30

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = TasksCommand.syntax
        address = try ServerAddress(arguments.operands[0], of: syntax)
        state = arguments.text("--state")
        if let state, !Self.states.contains(state) {
            throw syntax.error("--state \"\(state)\" is not one of these: \(Self.states.joined(separator: ", "))")
        }
        isOfProgram = arguments.text("--program") != nil
        isJSON = arguments.text("--json") != nil
        count = try arguments.entryCount(usually: Self.usualCount, isJSON: isJSON)
        let range = 0...HeapOptions.longestTimeout
        let seconds = try arguments.seconds("--timeout", in: range) ?? HeapOptions.usualTimeout
        timeout = ResultTimeout(duration: .seconds(seconds))
        tokenFile = arguments.text("--token-file")
    }
}
