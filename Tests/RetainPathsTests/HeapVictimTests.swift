#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

private final class LeakOuter {
    var me: LeakOuter?
    var inners: [LeakInner] = []
    let row = LeakNote()
}

private final class LeakInner {
    var me: LeakInner?
}

private final class LeakNote {}

/// A leak tells the instances that only it holds.
@Suite(.disabledUnderSanitizers) struct HeapVictimTests {
    @inline(never)
    private static func leakOuters() {
        for _ in 0..<2 {
            let outer = LeakOuter()
            outer.me = outer
            for _ in 0..<3 {
                let inner = LeakInner()
                inner.me = inner
                outer.inners.append(inner)
            }
        }
    }

    @Test func victimsInCyclesOfTheirOwnAreToldAsSuch() async throws {
        Self.leakOuters()
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let leak = try #require(graph.leaks.all.first { $0.name == "LeakOuter" })
        #expect(leak.victims.map { "\($0.count) \($0.name) \($0.inCycles)" } == ["6 LeakInner 6", "2 LeakNote 0"])
        #expect(
            leak.text().contains("Held by them alone: 6 LeakInner (in cycles of their own), 2 LeakNote."),
            "\(leak.text())")
    }

    @Test func victimsOfNewLeaksAreThoseOfNewLeaksAlone() throws {
        func leaks(_ count: Int, _ victims: KeyValuePairs<String, Int>) -> HeapGraph.Leaks {
            let victims = victims.map { HeapGraph.Victims(name: $0, type: "Demo.\($0)", count: $1) }
            return HeapGraph.Leaks(cycles: [HeapGraph.Leak(kind: .cycle, name: "Hook", count: count, victims: victims)])
        }
        let added = leaks(5, ["Row": 50, "Note": 3, "Page": 70]).cyclesAdded(since: leaks(4, ["Row": 40, "Note": 3]))
        #expect(try #require(added.first).victims.map { "\($0.count) \($0.name)" } == ["70 Page", "10 Row"])
    }
}
#endif
