/// What the command line asks for.
struct RunOptions {
    /// How often each shape is asked for.
    var runs = 1
    /// How often a shape is asked for again whose answer was not right; these answers count in the place of that one.
    var retries = 0
    /// Only shapes whose names contain one of these.
    var only: [String] = []
    /// How many threads rewrite the heap meanwhile.
    var churnThreads = 0
    /// How many blocks of random words lie in the heap.
    var randomBlocks = 0
    /// Whether the answers are written as JSON, one object a line.
    var isJSON = false
    /// Whether the paths of right answers are written, too.
    var isVerbose = false
    /// Whether the shapes are only planted and undone, and nothing is asked.
    var isPlantOnly = false
    /// Whether all shapes are planted at once, and asked for in one question.
    var isTogether = false
    /// Only each so-and-so-many-th shape.
    var every = 1
    /// Whether the first step of each path is expected to be what it cannot be: all answers are wrong then.
    var isNonsense = false
    /// Whether the program is stripped, so that variables and closures have no names.
    var isStripped = false
    /// Whether the names are written and nothing else is done.
    var isList = false

    static let usage = """
        usage: retain-shapes [--runs N] [--retries N] [--only TEXT]... [--every N] [--churn THREADS] [--random-blocks N]
                             [--together] [--plant-only] [--expect-nonsense] [--stripped] [--json] [--verbose] [--list]
        """

    /// What is wrong with a command line.
    struct Mistake: Error {
        let text: String
    }

    init(_ words: [String]) throws(Mistake) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--runs": runs = try Self.number(word, &rest)
            case "--retries": retries = try Self.number(word, &rest)
            case "--churn": churnThreads = try Self.number(word, &rest)
            case "--random-blocks": randomBlocks = try Self.number(word, &rest)
            case "--every": every = try Self.number(word, &rest)
            case "--expect-nonsense": isNonsense = true
            case "--only":
                guard let text = rest.popFirst() else { throw Mistake(text: "--only needs a text") }
                only.append(text)
            case "--json": isJSON = true
            case "--verbose": isVerbose = true
            case "--plant-only": isPlantOnly = true
            case "--together": isTogether = true
            case "--stripped": isStripped = true
            case "--list": isList = true
            default: throw Mistake(text: "unknown option \"\(word)\"")
            }
        }
    }

    private static func number(_ option: String, _ rest: inout ArraySlice<String>) throws(Mistake) -> Int {
        guard let word = rest.popFirst(), let number = Int(word), (1...1_000_000).contains(number) else {
            throw Mistake(text: "\(option) needs a number from 1 to 1000000")
        }
        return number
    }
}
