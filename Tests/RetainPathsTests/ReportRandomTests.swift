import LifetimeTracer
import Testing

@testable import RetainPaths

/// Random findings, including impossible ones: each of them gets a text.
@Suite struct ReportRandomTests {
    private typealias Step = HeapAnswer.Step

    @Test(arguments: 0..<8)
    func randomFindingsGiveConsistentExplanations(seed: UInt64) throws {
        var random = SplitMix(state: seed)
        let heap = MadeUpHeap()
        let metadata = [
            "Demo.Screen", "Demo.Hub", "Swift._ContiguousArrayStorage<Demo.Screen>", "Swift._SetStorage<Demo.Screen>",
            "Swift._DictionaryStorage<Swift.String, Any>", "LifetimeTracer.Locked<Swift.Int>", "Foundation.Timer", "",
        ].map { heap.type($0) }
        let codes = [
            Mangled.closure1, Mangled.thunk, Mangled.hubClosure, "malloc", "_NSConcreteMallocBlock",
        ].map { heap.symbol($0) }
        let nodes: [Step.Node] = [
            .rootData, .rootThreadLocal(thread: 3), .rootAnonymous, .rootStack(thread: 3), .object, .object, .object,
            .closure, .closure, .genericBox, .errorBox, .task, .block, .staticObject,
        ]
        let edges: [Step.Edge?] = [.strong, .strong, .function, .existentialBox, .raw, .conservative, nil]
        let addresses = (0..<6).map { _ in heap.address() }
        let names = ["", "a", "0", "1.b", "$__lazy_storage_$_c", "."]
        let statuses: [HeapAnswer.Finding.Status] = [
            .reachable, .cycle, .leakedByCycle, .noRootFound, .notFound, .deinitializing,
        ]
        for _ in 0..<150 {
            let steps = (0..<Int.random(in: 0...8, using: &random)).map { _ in
                Step(
                    node: nodes.randomElement(using: &random) ?? .object,
                    address: addresses.randomElement(using: &random) ?? 0,
                    metadata: ([0] + metadata).randomElement(using: &random) ?? 0, size: 16,
                    edge: edges.randomElement(using: &random) ?? nil, isPrecise: Bool.random(using: &random),
                    names: (0..<Int.random(in: 0...4, using: &random)).map { _ in
                        Step.Name(
                            text: names.randomElement(using: &random) ?? "", isCase: Bool.random(using: &random))
                    },
                    index: [nil, -1, 7].randomElement(using: &random) ?? nil,
                    key: [nil, .string("k"), .signed(-1)].randomElement(using: &random) ?? nil,
                    isInKey: Bool.random(using: &random), code: ([0, 0x99] + codes).randomElement(using: &random) ?? 0,
                    offset: 0, isReached: Bool.random(using: &random))
            }
            let ends = [Int.random(in: 0...9, using: &random), Int.random(in: 0...9, using: &random)].sorted()
            var finding = HeapAnswer.Finding.made(
                statuses.randomElement(using: &random) ?? .reachable, steps,
                cycle: Bool.random(using: &random) ? ends[0]...ends[1] : nil, strong: ends[0], found: ends[1],
                culprit: [nil, 0, 5].randomElement(using: &random) ?? nil, holders: steps)
            if Bool.random(using: &random) { finding.address = addresses[0] }
            let report = try report(on: [finding, finding], in: heap)
            let explanation = report.explanations[0]
            #expect(explanation.text().hasSuffix("\n"))
            #expect(report.text(full: true).count >= explanation.text(full: true).count)
            if let suspect = explanation.suspect { #expect(explanation.path.indices.contains(suspect)) }
            if let cycle = explanation.cycle { #expect(cycle.upperBound < explanation.path.count) }
            for line in explanation.lines() + explanation.lines(full: true) {
                #expect(line.steps.upperBound <= explanation.path.count)
            }
        }
    }

    /// Steele, Lea and Flood, Fast Splittable Pseudorandom Number Generators (2014).
    private struct SplitMix: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }
}
