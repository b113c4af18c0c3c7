#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Testing

@testable import RetainPaths

private final class StrayRow {
    let number: Int

    init(_ number: Int) { self.number = number }
}

private final class LeakStray {
    let row = StrayRow(1)
}

private final class StrayPair {
    var partner: StrayPair?
}

/// Objects that were retained too often, in a capture of the heap.
@Suite(.disabledUnderSanitizers, .serialized) struct HeapOverRetainedTests {
    private func leaks(_ name: String, in graph: HeapGraph) -> [HeapGraph.Leak] {
        graph.leaks.all.filter { $0.name == name }
    }

    /// Returns the inverted addresses of the objects.
    ///
    /// Without a use of the objects, the optimiser leaves them out.
    @inline(never)
    private static func overRetainStrays(_ count: Int) -> [UInt64] {
        (0..<count).map { _ in
            let stray = LeakStray()
            // Not balanced: this is the leak that the test looks for. Safe, because the object only lives too long.
            _ = Unmanaged.passRetained(stray)
            return Engine.inverted(stray)
        }
    }

    @Test func objectsThatWereRetainedTooOftenAreApart() async throws {
        let strays = Self.overRetainStrays(100)
        #expect(Set(strays).count == 100)
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let found = leaks("LeakStray", in: graph)
        let leak = try #require(found.first)
        #expect(found.count == 1 && leak.kind == .overRetained && leak.explainedReferences == 0, "\(found)")
        // A stale word in unused memory may seem to hold some of them.
        #expect((80...100).contains(leak.count), "\(leak)")
        #expect(leak.objects == 2 * leak.count, "each has a row")
        #expect(leak.text().contains("was over-retained"), "\(leak.text())")
        #expect(!graph.leaks.cycles.contains { $0.name == "LeakStray" || $0.name == "StrayRow" })
    }

    @inline(never)
    private static func overRetainPairs() -> [UInt64] {
        (0..<7).map { number in
            let pair = StrayPair()
            // Not balanced, as above; the last ones are retained twice. Safe, because the object only lives too long.
            _ = Unmanaged.passRetained(pair)
            if number >= 5 { _ = Unmanaged.passRetained(pair) }
            return Engine.inverted(pair)
        }
    }

    @Test func overRetainedObjectsWithOtherNumbersOfReferencesAreApart() async throws {
        let pairs = Self.overRetainPairs()
        #expect(Set(pairs).count == 7)
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let found = leaks("StrayPair", in: graph).sorted { $0.strongReferences < $1.strongReferences }
        #expect(found.map(\.strongReferences) == [1, 2] && found.allSatisfy { $0.kind == .overRetained }, "\(found)")
        // A stale word may hide some of the objects.
        #expect((3...5).contains(found.first?.count ?? 0) && (1...2).contains(found.last?.count ?? 0), "\(found)")
    }
}
#endif
