package import RetainPaths

extension Expectation {
    /// The errors in an answer, as text; empty if the answer is true.
    package func mismatches(with answer: RetainExplanation) -> [String] {
        var wrong: [String] = []
        func check(_ what: String, _ came: some Equatable, _ expected: some Equatable, _ isRight: Bool) {
            if !isRight { wrong.append("\(what) is \(came), not \(expected)") }
        }
        if mayBeOutsideHeap, answer.status == .notOnHeap {
            // The path of such an answer has only the frame's thread or task, not what holds the task.
            let missing = PathMatch(answer.path).firstMissing(of: path.suffix(1))
            return missing.map { ["the path does not tell \($0)"] } ?? []
        }
        let isFromStack = answer.path.first.map { $0.kind == .stack && !$0.isCertain } ?? false
        let isGuess = mayGuess && answer.status == .reachable && isFromStack
        let isStatusRight = answer.status == status || answer.status == alternative || isGuess
        check("status", answer.status.rawValue, status.rawValue, isStatusRight)
        let more = mayBeMore ? max(answer.strongReferences - strong, 0) : 0
        check("strong count", answer.strongReferences, strong, answer.strongReferences == strong + more)
        let explained = strong + more - unexplained
        let guesses = mayGuess ? answer.holders.count { !$0.step.isCertain } : 0
        let isExplained = (explained...(explained + guesses)).contains(answer.explainedReferences)
        check("explained count", answer.explainedReferences, explained, isExplained)
        let certain = answer.holders.count - guesses
        check("number of holders", certain, holders + more, certain == holders + more)
        if let missing = PathMatch(answer.path).firstMissing(of: path) {
            wrong.append("the path does not tell \(missing)")
        }
        if path.isEmpty, !answer.path.isEmpty, !mayGuess {
            wrong.append("there is a path")
        }
        if (answer.status == .cycle || answer.status == .leakedByCycle) != (answer.cycle != nil) {
            wrong.append(answer.cycle == nil ? "no cycle is marked" : "a cycle is marked")
        }
        if isVictim, answer.culprit == nil { wrong.append("it is not told to be a victim") }
        if let suspect = answer.suspect, !answer.path[suspect].isCertain {
            wrong.append("the reference to give up is not certain")
        }
        if isDoubtful, answer.path.first?.isCertain ?? true { wrong.append("the root is told as certain") }
        return wrong
    }

    /// The errors in the leaks of a heap in which only this shape leaks, as text; empty if they are right.
    ///
    /// Over-retained objects are not judged: the register of a thread may hold them.
    package func mismatches(with leaks: HeapGraph.Leaks) -> [String] {
        let cycles = leaks.all.filter { $0.kind != .overRetained }
        guard status == .cycle || status == .leakedByCycle else {
            // A cycle with a Task that has not ended may be listed as uncertain, but does not contain the instance.
            let isWrong = !leaks.cycles.isEmpty || (status == .reachable && leaks.all.contains { $0.name == Self.leaf })
            return isWrong ? ["a leak was found"] : []
        }
        guard cycles.count == 1, let leak = cycles.first, leak.count == 1 else {
            return cycles.isEmpty ? ["the leak was not found"] : ["\(cycles.count) leaks were found"]
        }
        // The instance is a step of its cycle, which may be entered anywhere. What else the cycle holds is no step.
        let expected = status == .cycle ? path : Array(path.prefix(1))
        let entries = leak.path.indices.map { Array(leak.path[$0...] + leak.path[...$0]) }
        let isTold = entries.contains { PathMatch($0).firstMissing(of: expected) == nil }
        return isTold ? [] : ["the leak's path does not tell the cycle"]
    }

    /// The name of the planted instance's class.
    private static let leaf = "DetailScreen"

    /// The ways in which a true answer is less helpful than expected, as text.
    package func shortcomings(of answer: RetainExplanation) -> [String] {
        var poor: [String] = []
        if let hint, answer.hint?.pattern != hint {
            poor.append("the hint is \(answer.hint?.pattern.rawValue ?? "none"), not \(hint.rawValue)")
        }
        if let text = answer.hint?.text, !hintText.isEmpty, !text.contains(hintText) {
            poor.append("the hint does not say \"\(hintText)\"")
        }
        poor += contradictions(in: answer)
        let told = Set(answer.holders.map { $0.step.name + $0.step.through })
        poor += holderTexts.subtracting(told).sorted().map { "no direct holder is \($0), only \(told.sorted())" }
        if let suspect {
            let told = answer.suspect.map { "\(answer.path[$0].name) \(answer.path[$0].through)" } ?? "none"
            if !told.contains(suspect) { poor.append("the reference to give up is \(told), not that of \(suspect)") }
        }
        if isCertain, let step = answer.path.first(where: { !$0.isCertain }) {
            poor.append("the step \(step.name) is not certain")
        }
        return poor
    }
}

extension Expectation {
    /// Parts of an answer that contradict other parts.
    private func contradictions(in answer: RetainExplanation) -> [String] {
        var contradictions: [String] = []
        let isComplete = answer.explainedReferences >= answer.strongReferences
        if isComplete, answer.text().contains("no known holder") {
            contradictions.append("it is said to have no holder, and to have all its references explained")
        }
        // If the path ends with a closure, that closure is the only holder and has a name.
        let last = answer.path.dropLast().last
        if answer.cycle == nil, answer.holders.count == 1, last?.kind == .closure, last?.isFolded == false,
            answer.holders[0].step.name.hasPrefix("context of")
        {
            contradictions.append("the holder \(answer.holders[0].step.name) has a name in the path")
        }
        let hidden = answer.path.dropFirst().dropLast().filter { $0.name.hasSuffix("bytes of memory") }
        if answer.path.count == 3, answer.path[0].kind == .global, hidden.contains(where: \.isFolded) {
            contradictions.append("the memory that holds it is left out")
        }
        return contradictions
    }
}

extension RetainExplanation {
    /// The whole answer as text: one line per step, with folded steps in parentheses.
    package var wording: String {
        let steps = path.enumerated().map { index, step in
            let mark = cycle?.contains(index) == true ? "⟲ " : ""
            let guess = step.isCertain ? "" : " (?)"
            let line = "\(mark)\(step.kind.rawValue) \(step.name)  \(step.through)\(guess)"
            return step.isFolded ? "(\(line))" : line
        }
        let holders = holders.map { "held by \($0.step.kind.rawValue) \($0.step.name)  \($0.step.through)" }
        let counts = "\(explainedReferences) of \(strongReferences) strong references explained"
        let advice = suspect.map { ["give up \(path[$0].name) \(path[$0].through)"] } ?? []
        let lines = ["\(status.rawValue): \(type.qualified), \(counts)"] + steps + holders + advice
        return (lines + [hint?.text].compactMap(\.self)).joined(separator: "\n")
    }

    /// The part of an answer that must be equal for all searches for the same leak.
    ///
    /// Each search may plant the leak in another thread, whose number differs.
    package var gist: String {
        let advice = suspect.map { path[$0].name } ?? "nothing"
        let root = path.first.map { Self.withoutThreadNumber($0.name) } ?? "nothing"
        let holder =
            holders.first.map { "\($0.step.kind.rawValue) \(Self.withoutThreadNumber($0.step.name))" } ?? "nobody"
        return """
            \(status.rawValue) from \(root), held by \(holder); give up \(advice); \
            \(fingerprint.map { "\($0)" } ?? "no fingerprint")
            """
    }

    /// `stack of thread ('worker')` for `stack of thread 4711 ('worker')`.
    private static func withoutThreadNumber(_ name: String) -> String {
        let words = name.split(separator: " ", omittingEmptySubsequences: false)
        return words.indices.filter { $0 == 0 || words[$0 - 1] != "thread" || !words[$0].allSatisfy(\.isNumber) }
            .map { words[$0] }.joined(separator: " ")
    }
}
