/// What can stand on the command line of one command.
///
/// Help text and parser both read this table, so they cannot disagree.
struct CommandSyntax: Sendable {
    /// An option.
    struct Option: Sendable {
        /// The name with its dashes: `--listen`.
        let name: String
        /// What its value stands for; `nil` for one without a value.
        let value: String?
        /// What it does, in words for people.
        let help: String
        /// Whether it may be given more than once.
        let isRepeatable: Bool

        init(_ name: String, _ value: String? = nil, isRepeatable: Bool = false, help: String) {
            self.name = name
            self.value = value
            self.isRepeatable = isRepeatable
            self.help = help
        }
    }

    /// An argument that is no option; all are required.
    struct Operand: Sendable {
        let name: String
        let help: String
    }

    /// The words that call it: `tracer-server demo`.
    let call: String
    /// What it does, in a sentence.
    let summary: String
    let operands: [Operand]
    let options: [Option]
    /// What else there is to know, a paragraph each.
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
