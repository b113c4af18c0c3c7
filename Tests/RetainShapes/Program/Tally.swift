import RetainPaths
import RetainShapes

/// Counts right, poor and wrong answers, and prints each answer.
///
/// A *poor* answer is true but incomplete, differs from an earlier answer, or is wrong and marked as uncertain.
struct Tally {
    private enum Grade: String { case right, poor, wrong }

    /// The greatest permitted percentage of poor answers.
    private static let mostPoor = 3

    let options: RunOptions
    private var counts: [Grade: Int] = [:]
    private var byKind: [String: [Grade: Int]] = [:]
    private var kinds: [String] = []
    private var wrong: [String: Int] = [:]
    private var gists: [String: String] = [:]
    /// The number of searches still to repeat for the current shape.
    private(set) var retriesLeft = 0
    /// Whether the next answer, if it is not right, leads to retries, which count instead of that answer.
    private var mayRetry = false

    init(options: RunOptions) { self.options = options }

    /// Begins the next shape.
    mutating func begin() {
        mayRetry = options.retries > 0
        retriesLeft = 0
    }

    /// Begins a retry of the current shape.
    mutating func beginRetry() { retriesLeft -= 1 }

    /// Records the outcome of one search.
    ///
    /// An outcome without mistakes is a right or a poor answer.
    mutating func add(_ shape: Shape, mistakes: [String], answer: RetainExplanation?, milliseconds: Double) {
        var texts = mistakes
        let grade: Grade
        if !mistakes.isEmpty {
            grade = answer.map(Self.isGuess) ?? false ? .poor : .wrong
        } else {
            // Answers that are marked as uncertain may differ from each other if the expectation permits guesses.
            let mayDiffer = shape.expectation.mayGuess && answer.map(Self.isGuess) ?? false
            let change = mayDiffer ? [] : unsteadiness(of: shape.name, answer)
            texts = (answer.map(shape.expectation.shortcomings) ?? []) + change
            grade = texts.isEmpty ? .right : .poor
        }
        if grade != .right, mayRetry {
            mayRetry = false
            retriesLeft = options.retries
            // The first answer may have been the deviating one, so the retries are compared only with each other.
            gists[shape.name] = nil
            say("AGAIN  \(shape.name): \(texts.joined(separator: "; "))")
            return
        }
        count(grade, shape)
        if options.isJSON {
            say(json(shape, grade, texts, answer, milliseconds))
            return
        }
        if grade == .right {
            say("ok     \(shape.name)")
        } else {
            say("\(grade == .poor ? "POOR   " : "WRONG  ")\(shape.name): \(texts.joined(separator: "; "))")
        }
        if let answer, options.isVerbose || grade != .right {
            for line in answer.wording.split(separator: "\n") { say("           \(line)") }
        }
    }

    /// Prints the cost of a search if `isVerbose`.
    func note(_ cost: RetainCost) {
        if options.isVerbose { say("cost   \(cost.text)") }
    }

    /// Whether an answer is marked as uncertain and gives no advice.
    private static func isGuess(_ answer: RetainExplanation) -> Bool {
        answer.path.contains { !$0.isCertain } && answer.suspect == nil && answer.hint == nil
    }

    /// Returns how an answer differs from the first answer to the same question.
    private mutating func unsteadiness(of name: String, _ answer: RetainExplanation?) -> [String] {
        guard let gist = answer?.gist else { return [] }
        guard let first = gists[name] else {
            gists[name] = gist
            return []
        }
        return gist == first ? [] : ["it was told as '\(first)' before, and now as '\(gist)'"]
    }

    private mutating func count(_ grade: Grade, _ shape: Shape) {
        counts[grade, default: 0] += 1
        if byKind[shape.kind] == nil { kinds.append(shape.kind) }
        byKind[shape.kind, default: [:]][grade, default: 0] += 1
        if grade != .right { wrong["\(grade.rawValue): \(shape.name)", default: 0] += 1 }
    }

    /// Prints a table of the kinds, and the totals.
    ///
    /// - Returns: The program's exit code.
    func conclude(churnedRounds: UInt64) -> Int32 {
        let (right, poor) = (counts[.right] ?? 0, counts[.poor] ?? 0)
        let wrongCount = counts[.wrong] ?? 0
        if options.isJSON {
            say(
                "{\"right\":\(right),\"poor\":\(poor),\"wrong\":\(wrongCount),\"churnedRounds\":\(churnedRounds)}")
        } else {
            for (name, count) in wrong.sorted(by: { $0.key < $1.key }) where options.runs > 1 {
                say("\(count) of \(options.runs) times \(name)")
            }
            say("| kind | right | poor | wrong |\n|---|---|---|---|")
            for kind in kinds {
                let row = byKind[kind] ?? [:]
                say("| \(kind) | \(row[.right] ?? 0) | \(row[.poor] ?? 0) | \(row[.wrong] ?? 0) |")
            }
            if options.churnThreads > 0 { say("\(churnedRounds) rounds of churn") }
            say("\(right) right, \(poor) poor, \(wrongCount) wrong")
        }
        return wrongCount == 0 && right > 0 && poor * 100 <= Self.mostPoor * (right + poor) ? 0 : 1
    }

    private func json(
        _ shape: Shape, _ grade: Grade, _ mistakes: [String], _ answer: RetainExplanation?, _ milliseconds: Double
    ) -> String {
        let texts = mistakes.map(quoted).joined(separator: ",")
        let wording = answer.map { quoted($0.wording) } ?? "null"
        return """
            {"shape":\(quoted(shape.name)),"kind":\(quoted(shape.kind)),"grade":"\(grade.rawValue)",\
            "mistakes":[\(texts)],"answer":\(wording),"milliseconds":\(milliseconds)}
            """
    }

    private func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case _ where scalar.value < 0x20: result += "?"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
