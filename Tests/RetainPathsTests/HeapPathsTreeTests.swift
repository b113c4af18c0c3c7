#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

// The types of the planted objects. No other test makes instances of them.

private final class TreePayload {}
private final class TreeNode {
    let payload = TreePayload()
    let left, right: TreeNode?

    init(depth: Int) {
        left = depth > 1 ? TreeNode(depth: depth - 1) : nil
        right = depth > 1 ? TreeNode(depth: depth - 1) : nil
    }
}

private final class CaseLeaf {}
private indirect enum CaseTree {
    case leaf(CaseLeaf)
    case node(CaseTree, CaseTree)

    init(depth: Int) {
        self = depth > 1 ? .node(CaseTree(depth: depth - 1), CaseTree(depth: depth - 1)) : .leaf(CaseLeaf())
    }
}

/// The static variable that holds the planted objects.
///
/// `@unchecked Sendable` is safe because each property is used by one test, which runs once and reads it only before
/// and after a capture.
private final class TreeStore: @unchecked Sendable {
    static let shared = TreeStore()
    var tree: TreeNode?
    var cases: CaseTree?
}

/// The holders of what hangs on the nodes of trees.
@Suite(.disabledUnderSanitizers) struct HeapPathsTreeTests {
    /// The only group of the objects of a type, of which there are a certain number.
    private func onlyGroup(of type: String, count: Int) async throws -> HeapGraph.Paths.Group {
        let found = try await HeapGraph.capture(options: Engine.patient).paths(
            to: type, kind: .instance, sample: count, options: Engine.patient)
        try #require(found.groups.map(\.count) == [count], "\(found.text())")
        return found.groups[0]
    }

    @Test func payloadsOfATreeAreOneGroup() async throws {
        TreeStore.shared.tree = TreeNode(depth: 8)
        defer { TreeStore.shared.tree = nil }
        let group = try await onlyGroup(of: "TreePayload", count: 255)
        let root = "static TreeStore.shared → TreeStore.tree → TreeNode.payload → TreePayload"
        #expect(group.signature == root, "the path is the shortest one")
        #expect(
            group.headline(of: 255)
                == "255 of 255 by static TreeStore.shared; 254 of them through more objects of these types")
    }

    @Test func leavesOfATreeOfCasesAreOneGroup() async throws {
        TreeStore.shared.cases = CaseTree(depth: 8)
        defer { TreeStore.shared.cases = nil }
        let group = try await onlyGroup(of: "CaseLeaf", count: 128)
        // All paths have the same length, so the first one in the order of their words is shown.
        #expect(group.signature == "static TreeStore.shared → TreeStore.cases.0 → CaseLeaf")
    }

    private func way(_ objects: (type: String, property: String)...) throws -> (words: [String], hasDetour: Bool) {
        let heap = MadeUpHeap()
        let steps = objects.map { heap.object("Demo.\($0.type)", $0.property) }
        let finding = HeapAnswer.Finding.made(
            .reachable, [heap.root(Mangled.cache)] + steps + [heap.end("Demo.Payload")])
        let reader = NodeReader(names: heap.names, threads: [:], libraryModules: [])
        return try unwrapped(NamedPath(finding, reader: reader)).wordsWithoutDetours
    }

    @Test func wayFromAnObjectToAnotherOfItsTypeIsLeftOut() throws {
        let direct = try way(("Node", "payload"))
        #expect(!direct.hasDetour)
        let left = try way(("Node", "left"), ("Node", "payload"))
        #expect(left == (direct.words, true))
        let deep = try way(("Node", "right"), ("Node", "left"), ("Node", "right"), ("Node", "payload"))
        #expect(deep == (direct.words, true))
        let throughRows = try way(
            ("Node", "row"), ("Row", "cell"), ("Node", "row"), ("Row", "cell"), ("Node", "payload"))
        #expect(throughRows == (direct.words, true))
    }

    @Test func lastObjectAndItsPropertyCount() throws {
        let direct = try way(("Node", "payload")).words
        #expect(try way(("Node", "left"), ("Node", "preview")).words != direct)
        let ofRow = try way(("Node", "row"), ("Row", "payload"))
        #expect(ofRow.words != direct && !ofRow.hasDetour)
    }
}
#endif
