extension RetainExplanation {
    /// The explanation as text: the status, the path with a line for each step, the direct holders and the hint.
    ///
    /// - Parameter full: Whether to include the steps that the short form omits.
    public func text(full: Bool = false) -> String {
        var text = "\(headline)\n" + pathText(full: full) + holdersText
        if let hint { text += "  \(hint.text)\n" }
        return text + RetainText.known(known, expired: expired)
    }

    /// The status in a sentence.
    private var headline: String {
        let name = "\(shortTypeName) #\(instance)"
        // A path is no more certain than its least certain step.
        let isCertain = path.allSatisfy(\.isCertain)
        let isHeld = isCertain ? "is held by" : "may be held by"
        let found: String
        switch status {
        case .reachable: found = "\(name) \(isHeld) \(path.first?.name ?? "a root")"
        case .cycle: found = "\(name) \(isCertain ? "holds" : "may hold") itself through a cycle that no root reaches"
        case .leakedByCycle: found = "\(name) \(isHeld) a cycle that no root reaches"
        case .noRootFound: found = "\(name) \(unexplained)"
        case .notOnHeap: return "\(name) is live, but \(placeOutsideHeap)"
        case .gone: return "\(name) is gone."
        }
        return "\(found); \(explained)." + (culprit.map { " It is freed when #\($0) is freed." } ?? "")
    }

    /// The explanation for the status `notOnHeap`: where the instance is, and why.
    private var placeOutsideHeap: String {
        guard path.isEmpty else {
            return "not on the heap: optimised code has placed it in the frame of a function, because no reference "
                + "leaves that function. The function holds it until its last use. If the function has returned, the "
                + "object's deinit was never called: it was retained too often."
        }
        return "was not found in memory: optimised code has left the object out, or keeps it in the registers of a "
            + "running function. If the function that created it has returned, its deinit was never called: it was "
            + "retained too often."
    }

    /// The explanation for the status `noRootFound`: which holder is missing, and the possible reasons.
    private var unexplained: String {
        if let first = path.first {
            let name = first.name
            return "is held by \(name), which has no known holder: \(name) was over-retained, "
                + "or a thread holds it in a register"
        }
        guard explainedReferences < strongReferences else {
            // All direct holders were found, but no holder of these holders leads to a root.
            let name = holders.first?.step.name ?? "a holder"
            return "is held by \(name), to which no path from a root was found: a thread may hold it in a register"
        }
        let fact =
            explainedReferences == 0 ? "has no known holder" : "has more strong references than known holders"
        return "\(fact): it was over-retained, or a thread holds it in a register"
    }

    /// `3 of 3 strong references explained`.
    private var explained: String {
        if explainedReferences > strongReferences {
            return "\(explainedReferences) possible references found for "
                + "\(strongReferences) strong reference\(strongReferences == 1 ? "" : "s")"
        }
        return "\(explainedReferences) of \(strongReferences) "
            + "strong reference\(strongReferences == 1 ? "" : "s") explained"
    }

    /// All direct holders, unless the path already contains the only one.
    private var holdersText: String {
        guard holders.count > 1 || (path.isEmpty && !holders.isEmpty) else { return "" }
        var text = "  Held directly by\n"
        for holder in holders {
            let step = holder.step
            let space = step.through.isEmpty || step.kind != .closure ? "" : " "
            text += "    · \(step.name)\(space)\(step.through)"
            if !step.isCertain { text += " (not certain)" }
            if !holder.isReachable { text += " (not reachable from a root)" }
            text += "\n"
        }
        if explainedReferences > holders.count, holders.count == Self.mostHolders { text += "    · and others\n" }
        return text
    }
}

extension HasRetainPath {
    /// The path as text, with a line for each step.
    func pathText(full: Bool) -> String {
        var text = ""
        for (number, line) in lines(full: full).enumerated() {
            text += number == 0 ? "  " : "  ↳ "
            text += line.text
            if !line.isCertain { text += " (not certain)" }
            if line.closesCycle { text += " ⟲" }
            if line.isSuspect { text += "  ← suspect" }
            text += "\n"
        }
        return text
    }
}

/// The parts of texts that explanations and leaks share.
enum RetainText {
    /// The known leak that matches, or that matched until its last day; empty if there is none.
    static func known(_ known: KnownLeak?, expired: KnownLeak?) -> String {
        if let known {
            return "  Known leak\(known.expires.map { " until \($0)" } ?? ""): \(known.reason)\n"
        }
        return expired.map { "  Was a known leak until \($0.expires ?? "now"): \($0.reason)\n" } ?? ""
    }
}
