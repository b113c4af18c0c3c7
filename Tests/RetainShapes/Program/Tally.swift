import RetainPaths
import RetainShapes

/// Counts right and wrong answers, and writes them down as they come.
struct Tally {
    let options: RunOptions
    private var right = 0
    private var wrong: [String: Int] = [:]

    init(options: RunOptions) { self.options = options }

    /// Takes the outcome of one shape; no mistakes mean a right answer.
    mutating func add(_ name: String, mistakes: [String], answer: RetainExplanation?, milliseconds: Double) {
        if mistakes.isEmpty { right += 1 } else { wrong[name, default: 0] += 1 }
        if options.isJSON {
            say(json(name, mistakes, answer, milliseconds))
            return
        }
        if mistakes.isEmpty {
            say("ok     \(name)")
        } else {
            say("WRONG  \(name): \(mistakes.joined(separator: "; "))")
        }
        if let answer, options.isVerbose || !mistakes.isEmpty {
            for line in answer.wording.split(separator: "\n") { say("           \(line)") }
        }
    }

    /// Writes the sum.
    ///
    /// - Returns: The program's exit code.
    func conclude(churnedRounds: UInt64) -> Int32 {
        let wrongCount = wrong.values.reduce(0, +)
        if options.isJSON {
            say("{\"right\":\(right),\"wrong\":\(wrongCount),\"churnedRounds\":\(churnedRounds)}")
        } else {
            for (name, count) in wrong.sorted(by: { $0.key < $1.key }) where options.runs > 1 {
                say("wrong \(count) of \(options.runs) times: \(name)")
            }
            if options.churnThreads > 0 { say("\(churnedRounds) rounds of churn") }
            say("\(right) right, \(wrongCount) wrong")
        }
        return wrongCount == 0 && right > 0 ? 0 : 1
    }

    private func json(
        _ name: String, _ mistakes: [String], _ answer: RetainExplanation?, _ milliseconds: Double
    ) -> String {
        let texts = mistakes.map(quoted).joined(separator: ",")
        let wording = answer.map { quoted($0.wording) } ?? "null"
        return """
            {"shape":\(quoted(name)),"mistakes":[\(texts)],"answer":\(wording),"milliseconds":\(milliseconds)}
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
