/// The syntax of one command's arguments.
///
/// The help text and the parser both use this table, so they cannot disagree.
struct CommandSyntax: Sendable {
    /// An option.
    struct Option: Sendable {
        /// The name with its dashes: `--listen`.
        let name: String
        /// The placeholder for the value; `nil` for an option without a value.
        let value: String?
        /// The purpose of the option.
        let help: String
        /// Whether the option may be given more than once.
        let isRepeatable: Bool

        init(_ name: String, _ value: String? = nil, isRepeatable: Bool = false, help: String) {
            self.name = name
            self.value = value
            self.isRepeatable = isRepeatable
            self.help = help
        }
    }

    /// A positional argument; all are required.
    struct Operand: Sendable {
        let name: String
        let help: String
    }

    /// An exit code with its meaning.
    struct ExitStatus: Sendable {
        let code: ExitCode
        let meaning: String

        /// The exit code of every command for an invalid command line.
        static let usage = Self(code: .usage, meaning: "The command line is invalid.")
    }

    /// The words that call the command: `tracer-server demo`.
    let call: String
    /// The purpose of the command, in a sentence.
    let summary: String
    let operands: [Operand]
    /// Further words behind the operands, which the command passes on unread; `nil` if there may be none.
    let rest: Operand?
    let options: [Option]
    /// The exit codes that the help text lists.
    let exitStatuses: [ExitStatus]
    /// Further paragraphs of the help text.
    let notes: [String]

    init(
        call: String, summary: String, operands: [Operand] = [], rest: Operand? = nil, options: [Option],
        exitStatuses: [ExitStatus] = [], notes: [String] = []
    ) {
        self.call = call
        self.summary = summary
        self.operands = operands
        self.rest = rest
        self.options = options + [Option("--help", help: "Print this help text and exit.")]
        self.exitStatuses = exitStatuses
        self.notes = notes
    }
}
