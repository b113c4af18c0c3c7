#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Glibc
import LifetimeTracer
import Patience
import Testing

@testable import RetainPaths

/// Copies that list only samples of a large heap, to find types without layouts quickly.
@Suite(.disabledUnderSanitizers) struct EnginePreviewTests {
    /// A class of which there is one instance, in the middle of a large heap.
    final class Rare {
        let leaf = EngineLeaf()
        let filler = (0..<8).map { UInt64($0) }
    }

    @Test func previewOfALargeHeapIsFollowedByAWholeCopy() async {
        // The test counts copies, which types of other tests would change.
        await #expect(processExitsWith: .success) {
            let trunk = Engine.plant("many")
            trunk.leaves = (0..<20_000).map { _ in EngineLeaf() }
            let target = Engine.inverted(trunk.leaves[10_000])
            let withoutPreview = try await Self.fewestCopies(target, SearchRounds(isPreview: false, bytes: 0))
            #expect(withoutPreview == 1)
            let withPreview = try await Self.fewestCopies(target, SearchRounds(isPreview: true, bytes: 1 << 16))
            #expect(withPreview == 2)
            // A preview that lists the entire heap gives the answer itself.
            let withEntirePreview = try await Self.fewestCopies(target, SearchRounds(isPreview: true, bytes: 1 << 40))
            #expect(withEntirePreview == 1)
        }
    }

    @Test func firstSearchOfALargeHeapAnswersWithPreviews() async {
        // Only in a new process are there no layouts.
        await #expect(processExitsWith: .success) {
            let targets = Self.plantManyAndOne()
            let findings = try await Self.search(targets, SearchRounds(isPreview: true, bytes: 1 << 16)).findings
            #expect(findings.map(\.status) == [.reachable, .reachable])
            #expect(findings[0].precise == 1 && findings[1].precise == 1)
            #expect(findings[0].steps.dropLast().last?.names.first?.text == "leaf")
        }
    }

    /// Plants 40,000 leaves, and an object of another class between them.
    ///
    /// Returns the inverted addresses of the other object's leaf, and of one of the many.
    private static func plantManyAndOne() -> [UInt64] {
        let trunk = Engine.plant("many")
        trunk.leaves = (0..<20_000).map { _ in EngineLeaf() }
        let rare = Rare()
        trunk.anything["rare"] = rare
        trunk.leaves += (0..<20_000).map { _ in EngineLeaf() }
        return [Engine.inverted(rare.leaf), Engine.inverted(trunk.leaves[10_000])]
    }

    /// The fewest copies of several searches, of which the first ones also meet new types.
    private static func fewestCopies(_ target: UInt64, _ rounds: SearchRounds) async throws -> Int? {
        var counts: [Int] = []
        for _ in 0..<5 {
            let answer = try await search([target], rounds)
            #expect(answer.findings.first?.status == .reachable)
            counts.append(answer.cost.rounds)
        }
        return counts.min()
    }

    private static func search(_ targets: [UInt64], _ rounds: SearchRounds) async throws -> HeapAnswer {
        try await RetainPaths.onSearchThread { isCancelled in
            let question = HeapQuestion(
                targets: .addresses(targets), timeout: Patience.limit, memoryLimit: Engine.patient.memoryLimit)
            var search = try HeapSearch(question, observer: SearchObserver(isCancelled: isCancelled), rounds: rounds)
            var budget = SearchBudget(Patience.limit)
            return try search.run(within: &budget)
        }
    }
}

/// Which copies of a search are previews, and which may request layouts.
struct SearchRoundsTests {
    @Test func searchWithoutAPreviewEndsAtRequestWithoutNewLayouts() {
        var rounds = SearchRounds(isPreview: false, bytes: 100)
        #expect(rounds.bytesOfPreview == 0 && !rounds.isLast)
        rounds.requestedLayouts(areNew: true)
        #expect(!rounds.isLast)
        rounds.requestedLayouts(areNew: false)
        #expect(rounds.isLast)
    }

    @Test func searchEndsAtTheSeventhRequest() {
        var rounds = SearchRounds(isPreview: false, bytes: 100)
        for _ in 0..<6 { rounds.requestedLayouts(areNew: true) }
        #expect(!rounds.isLast)
        rounds.requestedLayouts(areNew: true)
        #expect(rounds.isLast)
    }

    @Test func wholeCopyAfterPreviewsMayRequestLayouts() {
        var rounds = SearchRounds(isPreview: true, bytes: 100)
        #expect(rounds.bytesOfPreview == 100)
        rounds.requestedLayouts(areNew: true)
        #expect(rounds.bytesOfPreview == 100)
        rounds.requestedLayouts(areNew: false)
        #expect(rounds.bytesOfPreview == 0 && !rounds.isLast)

        rounds = SearchRounds(isPreview: true, bytes: 100)
        rounds.finishedPreview()
        #expect(rounds.bytesOfPreview == 0 && !rounds.isLast)

        rounds = SearchRounds(isPreview: true, bytes: 100)
        for _ in 0..<4 { rounds.requestedLayouts(areNew: true) }
        #expect(rounds.bytesOfPreview == 0 && !rounds.isLast)
    }
}
#endif
