import Foundation

/// The options of a check.
struct CheckOptions: Sendable {
    /// The limit of live instances of a type.
    struct TypeLimit: Sendable, Equatable {
        /// The full name, or the name without the module.
        let type: String
        let limit: Int
    }

    let address: ServerAddress
    /// The limits by kind; a kind that is absent has no limit.
    let limits: [CheckFinding.Kind: Int]
    private(set) var maxLive: [TypeLimit] = []
    /// The time for which to repeat the check.
    let wait: Duration
    /// The timeout of one request.
    let timeout: Duration
    /// The file with the access token; `nil` to use the environment's.
    let tokenFile: String?
    /// Whether to make the server search for the retain paths of overdue instances.
    let explains: Bool
    /// Whether to print JSON instead of lines.
    let printsJSON: Bool
    /// The file for the JUnit XML; `-` is standard output.
    let junitPath: String?

    /// One day; a longer wait is more likely a mistake.
    private static let longestWait = 86_400.0

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = CheckCommand.syntax
        address = try ServerAddress(arguments.operands[0], of: syntax)
        var limits: [CheckFinding.Kind: Int] = [:]
        for kind in CheckFinding.Kind.allCases {
            guard let option = kind.option else { continue }
            limits[kind] = try arguments.count(option) ?? kind.usualLimit
        }
        self.limits = limits
        wait = .seconds(try arguments.seconds("--wait", in: 0...Self.longestWait) ?? 0)
        timeout = try arguments.timeout()
        tokenFile = arguments.text("--token-file")
        explains = arguments.text("--explain") != nil
        printsJSON = arguments.text("--json") != nil
        junitPath = arguments.text("--junit")
        if junitPath == "" { throw syntax.error("--junit requires a file name, or - for standard output") }
        if junitPath == "-", printsJSON {
            throw syntax.error("--json and --junit - cannot both write to standard output; give --junit a file name")
        }
        for text in arguments.all("--max-live") {
            let limit = try Self.typeLimit(in: text)
            guard !maxLive.contains(where: { $0.type == limit.type }) else {
                throw syntax.error("--max-live is given more than once for \"\(limit.type)\"")
            }
            maxLive.append(limit)
        }
    }

    private static func typeLimit(in text: String) throws(UsageError) -> TypeLimit {
        // The last equals sign separates the number: the name of a generic type may contain `=`, a number never does.
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex,
            let limit = Arguments.count(in: String(text[text.index(after: sign)...]))
        else {
            throw CheckCommand.syntax.error(
                "--max-live \"\(text)\" is not TYPE=N with a non-negative integer N, for example TextScreen=3")
        }
        return TypeLimit(type: String(text[..<sign]), limit: limit)
    }
}
