import LifetimeTracer

@testable import RetainPaths

/// The parts that the tests of suspects and of hints share.
protocol JudgesPaths {
    var heap: MadeUpHeap { get }
}

extension JudgesPaths {
    typealias Step = HeapAnswer.Step

    /// The pattern, the text and the suspect's line of an explanation.
    func judge(
        _ steps: [Step], _ status: HeapAnswer.Finding.Status = .reachable, cycle: ClosedRange<Int>? = nil
    ) throws -> (pattern: RetainHint.Pattern?, text: String, suspect: String?) {
        let explanation = try explain(.made(status, steps, cycle: cycle), in: heap)
        return (
            explanation.hint?.pattern, explanation.hint?.text ?? "", explanation.lines().first(where: \.isSuspect)?.text
        )
    }

    func round(_ steps: [Step]) throws -> (pattern: RetainHint.Pattern?, text: String, suspect: String?) {
        try judge(steps, .cycle, cycle: 0...(steps.count - 1))
    }

    var code: UInt { heap.symbol(Mangled.closure1) }
    var center: [Step] {
        [heap.root(Mangled.defaultCenter), heap.object("FoundationEssentials.NotificationCenter", "registrar")]
    }
}
