/// The options of the command line.
struct RunOptions {
    /// How often to search for each shape.
    var runs = 1
    /// How often to repeat the search for a shape whose answer was not right.
    ///
    /// The repeated answers replace that answer in the counts.
    var retries = 0
    /// If not empty, only shapes whose name contains one of these texts, or whose kind is one of them.
    var only: [String] = []
    /// The number of threads that rewrite the heap during the searches.
    var churnThreads = 0
    /// The number of heap blocks with random words.
    var randomBlocks = 0
    /// Whether to write the answers as JSON, one object per line.
    var isJSON = false
    /// Whether to write the paths of right answers, too.
    var isVerbose = false
    /// Whether to plant and undo the shapes without searching.
    var isPlantOnly = false
    /// Whether to capture the heap, and to compare its leaks instead of retain paths.
    var isHeap = false
    /// Whether to plant all shapes at once and search for all of them with one question.
    var isTogether = false
    /// Only every n-th shape.
    var every = 1
    /// Whether to expect an impossible first step in each path, so that every answer with a path is wrong.
    var isNonsense = false
    /// Whether the program is stripped, so that variables and closures have no names.
    var isStripped = false
    /// Whether only to list the names of the shapes.
    var isList = false

    static let usage = """
        usage: retain-shapes [--runs N] [--retries N] [--only TEXT]... [--every N] [--churn THREADS] [--random-blocks N]
                             [--together] [--heap] [--plant-only] [--expect-nonsense] [--stripped] [--json] [--verbose]
                             [--list]
        """

    /// A mistake in the command line.
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
            case "--heap": isHeap = true
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
