/// The options of `heap`.
struct HeapOptions: Sendable {
    /// The order of the lines.
    enum Sort: String, CaseIterable, Sendable {
        case bytes, count, name, retained

        static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
    }

    let address: ServerAddress
    let sort: Sort
    /// The text that the name or the type of a line must contain.
    let filter: String?
    /// Whether to print only the types and closures of the program.
    let isOfProgram: Bool
    /// The capture to compare the new one with.
    let since: Int?
    /// Whether to print what keeps the memory instead of the types.
    let isTree: Bool
    /// The type whose holders to print instead of the types.
    let paths: String?
    /// The most objects of that type to examine; `nil` for the server's default.
    let sample: Int?
    /// The most lines to print.
    let count: Int
    /// Whether to print JSON instead of text.
    let isJSON: Bool
    /// The time to wait for the capture.
    var timeout: ResultTimeout
    /// The file with the access token; `nil` to use the environment's.
    let tokenFile: String?

    static let usualCount = 30
    /// The server's largest sample, and the one it takes by default.
    static let largestSample = 4096
    static let usualSample = 1024
    static let usualTimeout = 60.0
    static let longestTimeout = 3600.0

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = HeapCommand.syntax
        address = try ServerAddress(arguments.operands[0], of: syntax)
        if let text = arguments.text("--sort") {
            guard let sort = Sort(rawValue: text) else {
                throw syntax.error("--sort \"\(text)\" is not one of these: \(Sort.names)")
            }
            self.sort = sort
        } else {
            sort = .bytes
        }
        filter = arguments.text("--filter")
        isOfProgram = arguments.text("--program") != nil
        since = try arguments.count("--since")
        if let since, since < 1 { throw syntax.error("--since \"\(since)\" is not the number of a capture") }
        isTree = arguments.text("--tree") != nil
        paths = arguments.text("--paths")
        if paths == "" { throw syntax.error("--paths \"\" is not the name of a line of the table") }
        let others = ["--sort", "--filter", "--program", "--since"]
        for (form, others) in [("--tree", others), ("--paths", others + ["--tree"])] where arguments.text(form) != nil {
            guard let other = others.first(where: { arguments.text($0) != nil }) else { continue }
            throw syntax.error("\(form) and \(other) exclude each other")
        }
        sample = try arguments.count("--sample")
        if let sample, !(1...Self.largestSample).contains(sample) {
            throw syntax.error("--sample \"\(sample)\" is not a number from 1 to \(Self.largestSample)")
        }
        if sample != nil, paths == nil { throw syntax.error("--sample needs --paths") }
        isJSON = arguments.text("--json") != nil
        count = try arguments.entryCount(usually: Self.usualCount, isJSON: isJSON)
        let seconds = try arguments.seconds("--timeout", in: 0...Self.longestTimeout) ?? Self.usualTimeout
        timeout = ResultTimeout(duration: .seconds(seconds))
        tokenFile = arguments.text("--token-file")
    }
}
