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

    /// The words that call the command: `tracer-server demo`.
    let call: String
    /// The purpose of the command, in a sentence.
    let summary: String
    let operands: [Operand]
    let options: [Option]
    /// Further paragraphs of the help text.
    let notes: [String]

    init(
        call: String, summary: String, operands: [Operand] = [], options: [Option], notes: [String] = []
    ) {
        self.call = call
        self.summary = summary
        self.operands = operands
        self.options = options + [Option("--help", help: "Print this and exit.")]
        self.notes = notes
    }
}
