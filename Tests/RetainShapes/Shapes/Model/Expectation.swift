package import RetainPaths

/// The answer that is right for a shape.
package struct Expectation: Sendable {
    /// What the search must find out.
    package var status: RetainExplanation.Status
    /// What it may find out as well.
    package var alternative: RetainExplanation.Status?
    /// What the path must tell, in this order; the first must be its first step.
    package var path: [StepPattern]
    /// How many direct holders there are.
    package var holders = 1
    /// How many strong references there are; as many must be explained, but for those in ``unexplained``.
    package var strong = 1
    /// Whether there may be more strong references than ``strong``, each with a holder: a build without optimisation keeps copies of
    /// its own in a task's memory.
    package var mayBeMore = false
    /// Whether holders may be told beside those expected, as long as none of them is certain.
    package var mayGuess = false
    /// How many of the strong references no place in memory accounts for.
    package var unexplained = 0
    /// The pattern that the hint must know; `nil` for any or none.
    package var hint: RetainHint.Pattern?
    /// Text that the hint must contain.
    package var hintText = ""
    /// Whether the instance must be the victim of the other one of the question.
    package var isVictim = false
    /// Text of the step whose reference must be named as the one to give up; `nil` for any or none.
    package var suspect: String?
    /// Whether every step of the path must be certain.
    package var isCertain = false
    /// Whether the root must be told as one that is not certain.
    package var isDoubtful = false

    /// Held from a root by this path.
    package static func held(_ path: StepPattern...) -> Self { Expectation(status: .reachable, path: path) }

    /// Held by itself through this path.
    package static func cycle(_ path: StepPattern...) -> Self { Expectation(status: .cycle, path: path) }

    /// Held by a cycle without being part of it.
    package static func leakedByCycle(_ path: StepPattern...) -> Self {
        Expectation(status: .leakedByCycle, path: path)
    }

    /// Retained without a place in memory that says so.
    ///
    /// Words that are left over somewhere may look like one, and on the stack of a thread that waits they cannot be told from a
    /// variable: what is told of them must be marked as uncertain.
    package static func overRetained(_ times: Int) -> Self {
        Expectation(status: .noRootFound, path: [], holders: 0, strong: times, mayGuess: true, unexplained: times)
    }

    /// The same for a cycle that a root reaches as well, of which either may be told.
    package func orCycle() -> Self {
        var copy = self
        copy.alternative = .cycle
        return copy
    }

    /// The same with another number of references.
    package func references(_ strong: Int, holders: Int? = nil, unexplained: Int = 0) -> Self {
        var copy = self
        copy.strong = strong
        copy.holders = holders ?? strong - unexplained
        copy.unexplained = unexplained
        return copy
    }

    /// The same where words that are left over may be told as what the answer wants for, marked as uncertain.
    package func orGuessed() -> Self {
        var copy = self
        copy.mayGuess = true
        return copy
    }

    /// The same for what a task may hold in several places of its memory.
    package func orMore() -> Self {
        var copy = self
        copy.mayBeMore = true
        return copy
    }

    /// The same with a hint that contains a text.
    package func hinting(_ pattern: RetainHint.Pattern, _ text: String = "") -> Self {
        var copy = self
        copy.hint = pattern
        copy.hintText = text
        return copy
    }

    /// The same where the reference to give up is in the step with this text.
    package func giving(_ suspect: String) -> Self {
        var copy = self
        copy.suspect = suspect
        return copy
    }

    /// The same where a layout vouches for every step.
    package func certain() -> Self {
        var copy = self
        copy.isCertain = true
        return copy
    }

    /// The same where it cannot be told that the root owns anything.
    package func doubtful() -> Self {
        var copy = self
        copy.isDoubtful = true
        return copy
    }

    /// The same for a victim of the other instance in the question.
    package func asVictim() -> Self {
        var copy = self
        copy.isVictim = true
        return copy
    }

    /// The same in a program without symbols: variables and closures have no names there, and whose closure one is cannot be told.
    package func withoutNames() -> Self {
        var copy = self
        copy.path = path.compactMap { step in
            switch step {
            case .step(.global, _): .step(.global, "")
            case .closure: nil
            default: step
            }
        }
        copy.suspect = nil
        copy.hintText = ""
        return copy
    }

    /// The variable from which the path starts.
    package var variable: String? {
        guard case .step(.global, let name)? = path.first, !name.isEmpty else { return nil }
        return name
    }
}
