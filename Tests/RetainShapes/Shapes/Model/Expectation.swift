package import RetainPaths

/// The right answer for a shape.
package struct Expectation: Sendable {
    /// The status that the search must find.
    package var status: RetainExplanation.Status
    /// Another status that is right, too.
    package var alternative: RetainExplanation.Status?
    /// The steps that the path must contain, in this order.
    ///
    /// The first pattern must match the path's first step.
    package var path: [StepPattern]
    /// The number of direct holders.
    package var holders = 1
    /// The number of strong references.
    ///
    /// All but ``unexplained`` of them must be explained.
    package var strong = 1
    /// Whether there may be more strong references than ``strong``, each with a holder: unoptimised builds keep copies
    /// in a task's memory.
    package var mayBeMore = false
    /// Whether optimised code may place the instance outside the heap, in the frame that the path tells.
    package var mayBeOutsideHeap = false
    /// Whether the answer may contain additional holders that are marked as uncertain.
    package var mayGuess = false
    /// The number of strong references that no place in memory accounts for.
    package var unexplained = 0
    /// The pattern of the expected hint; `nil` if any or no hint is right.
    package var hint: RetainHint.Pattern?
    /// Text that the hint must contain.
    package var hintText = ""
    /// Texts of direct holders: `Service.current`.
    package var holderTexts: Set<String> = []
    /// Whether the instance must be reported as the victim of the question's other instance.
    package var isVictim = false
    /// A text of the step whose reference must be the suspect; `nil` if any or no suspect is right.
    package var suspect: String?
    /// Whether every step of the path must be certain.
    package var isCertain = false
    /// Whether the root must be marked as uncertain.
    package var isDoubtful = false

    /// Held from a root through this path.
    package static func held(_ path: StepPattern...) -> Self { Expectation(status: .reachable, path: path) }

    /// Held by a cycle with this path.
    package static func cycle(_ path: StepPattern...) -> Self { Expectation(status: .cycle, path: path) }

    /// Held by a cycle without being part of it.
    package static func leakedByCycle(_ path: StepPattern...) -> Self {
        Expectation(status: .leakedByCycle, path: path)
    }

    /// Not held any more: its deinit runs.
    package static var gone: Self { Expectation(status: .gone, path: [], holders: 0, strong: 0) }

    /// Retained without a reference in memory.
    ///
    /// A stale word can look like a reference, and on the stack of a blocked thread it cannot be distinguished from a
    /// variable. The answer must mark such a reference as uncertain.
    package static func overRetained(_ times: Int) -> Self {
        Expectation(status: .noRootFound, path: [], holders: 0, strong: times, mayGuess: true, unexplained: times)
    }

    /// Also accepts the cycle that holds the instance together with a root.
    package func orCycle() -> Self {
        var copy = self
        copy.alternative = .cycle
        return copy
    }

    /// Also accepts an instance outside the heap, in the frame that the path tells.
    package func orNotOnHeap() -> Self {
        var copy = self
        copy.mayBeOutsideHeap = true
        return copy
    }

    /// Expects other numbers of references.
    package func references(_ strong: Int, holders: Int? = nil, unexplained: Int = 0) -> Self {
        var copy = self
        copy.strong = strong
        copy.holders = holders ?? strong - unexplained
        copy.unexplained = unexplained
        return copy
    }

    /// Also accepts stale words as holders if they are marked as uncertain.
    package func orGuessed() -> Self {
        var copy = self
        copy.mayGuess = true
        return copy
    }

    /// Also accepts further references, because a task may keep copies in several places of its memory.
    package func orMore() -> Self {
        var copy = self
        copy.mayBeMore = true
        return copy
    }

    /// Expects these direct holders, among others.
    package func directly(by texts: String...) -> Self {
        var copy = self
        copy.holderTexts = Set(texts)
        return copy
    }

    /// Expects a hint that contains a text.
    package func hinting(_ pattern: RetainHint.Pattern, _ text: String = "") -> Self {
        var copy = self
        copy.hint = pattern
        copy.hintText = text
        return copy
    }

    /// Expects the suspect to be in the step with this text.
    package func giving(_ suspect: String) -> Self {
        var copy = self
        copy.suspect = suspect
        return copy
    }

    /// Expects every step to be certain, that is, confirmed by a layout.
    package func certain() -> Self {
        var copy = self
        copy.isCertain = true
        return copy
    }

    /// Expects the root to be uncertain, because nothing shows whether the root retains its object.
    package func doubtful() -> Self {
        var copy = self
        copy.isDoubtful = true
        return copy
    }

    /// Expects the instance to be a victim of the question's other instance.
    package func asVictim() -> Self {
        var copy = self
        copy.isVictim = true
        return copy
    }

    /// Adapts the expectation to a program without symbols: variables, closures and functions have no names, and the
    /// code of a closure is unknown.
    package func withoutNames() -> Self {
        var copy = self
        copy.path = path.compactMap { step in
            switch step {
            case .step(.global, _): .step(.global, "")
            case .step(.task, _): .task
            case .step(.stack, _): .step(.stack, "")
            case .closure, .member: nil
            default: step
            }
        }
        // The path of a cycle still begins with the closure.
        if case .closure? = path.first { copy.path.insert(.says(""), at: 0) }
        copy.suspect = nil
        copy.hintText = ""
        copy.holderTexts = []
        return copy
    }

    /// The variable from which the path starts.
    package var variable: String? {
        guard case .step(.global, let name)? = path.first, !name.isEmpty else { return nil }
        return name
    }
}
