#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

// The types of the planted objects. No other test makes instances of them.

private final class ListPayload {}
private final class ListNode {
    let payload = ListPayload()
    var rest: ListNode?
}

private final class CaseItem {}
private indirect enum CaseList {
    case end
    case item(CaseItem, CaseList)
}

/// The static variable that holds the planted objects.
///
/// `@unchecked Sendable` is safe because each property is used by one test, which runs once and reads it only before
/// and after a capture.
private final class ListStore: @unchecked Sendable {
    static let shared = ListStore()
    var list: ListNode?
    var cases = CaseList.end
}

/// The holders of what hangs on the elements of long lists.
@Suite(.disabledUnderSanitizers) struct HeapPathsListTests {
    /// Of the paths to the last elements, the search leaves out a part; of those beyond 4,096 blocks, also of the list
    /// of blocks.
    @Test func payloadsOfALongListAreOneGroup() async throws {
        let count = 5000
        for _ in 0..<count {
            let node = ListNode()
            node.rest = ListStore.shared.list
            ListStore.shared.list = node
        }
        defer { while let node = ListStore.shared.list { ListStore.shared.list = node.rest } }
        let found = try await HeapGraph.capture(options: Engine.patient).paths(
            to: "ListPayload", kind: .instance, sample: 400, options: Engine.patient)
        #expect(found.count == count && found.examined == 400)
        try #require(found.groups.map(\.count) == [400], "\(found.text())")
        // The first element of the sample is not always the first one of the list.
        let ways = [" → ", " → ListNode.rest → "].map {
            "static ListStore.shared → ListStore.list\($0)ListNode.payload → ListPayload"
        }
        #expect(ways.contains(found.groups[0].signature), "\(found.groups[0].signature)")
        #expect(found.groups[0].lines().suffix(2).map(\.text) == ["ListNode.payload", "ListPayload"])
    }

    @Test func itemsOfALongListOfCasesAreOneGroup() async throws {
        let count = 500
        for _ in 0..<count { ListStore.shared.cases = .item(CaseItem(), ListStore.shared.cases) }
        defer {
            while case .item(_, let rest) = ListStore.shared.cases { ListStore.shared.cases = rest }
        }
        let found = try await HeapGraph.capture(options: Engine.patient).paths(
            to: "CaseItem", kind: .instance, sample: count, options: Engine.patient)
        try #require(found.groups.map(\.count) == [count], "\(found.text())")
        #expect(found.groups[0].signature == "static ListStore.shared → ListStore.cases.0 → CaseItem")
    }

    /// The path to an element far from the head shows both ends of the list, and what holds the element.
    @Test func pathThroughALongListShowsItsEnds() throws {
        let heap = MadeUpHeap()
        let link = heap.object("Demo.Node", "rest")
        let links = Array(repeating: link, count: 3)
        let end = heap.end("Demo.Payload")
        var finding = HeapAnswer.Finding.made(
            .reachable, [heap.root(Mangled.cache)] + links + links + [heap.object("Demo.Node", "payload"), end])
        finding.gap = 4
        let explanation = try explain(finding, in: heap)
        #expect(
            explanation.lines().map(\.text) == [
                "global cache", "Node.rest (3 times)", "… (many steps)", "Node.rest (3 times)", "Node.payload",
                "Payload",
            ])
        #expect(explanation.signature == "global cache → Node.rest → Node.payload → Payload")
    }

    @Test func fingerprintIgnoresThePositionInAList() throws {
        let heap = MadeUpHeap()
        let link = heap.object("Demo.Node", "rest")
        let (holder, end) = (heap.object("Demo.Node", "payload"), heap.end("Demo.Payload"))
        let fingerprints = try [1, 2, 7].map { count in
            let steps = [heap.root(Mangled.cache)] + Array(repeating: link, count: count) + [holder, end]
            return try explain(.made(.reachable, steps), in: heap).fingerprint
        }
        #expect(fingerprints[0] != nil && Set(fingerprints).count == 1)
        // Steps of other kinds may be missing in a gap.
        var cut = HeapAnswer.Finding.made(.reachable, [heap.root(Mangled.cache), link, holder, end])
        cut.gap = 2
        #expect(try explain(cut, in: heap).signature == "global cache → Node.rest → … → Node.payload → Payload")
    }

    @Test func repeatedBoxesAreCountedInALine() throws {
        let heap = MadeUpHeap()
        let box = HeapAnswer.Step.made(.genericBox, at: heap.address(), name: "item.1")
        let last = HeapAnswer.Step.made(.genericBox, at: heap.address(), name: "item.0")
        let steps = [heap.root(Mangled.cache)] + Array(repeating: box, count: 5) + [last, heap.end("Demo.Item")]
        let explanation = try explain(.made(.reachable, steps), in: heap)
        #expect(explanation.lines().map(\.text) == ["global cache.item.1 (5 times).item.0", "Item"])
        #expect(explanation.signature == "global cache.item.1.item.0 → Item")
    }
}
#endif
