#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The search lists the references of large blocks, and walks long paths once for all targets.
///
/// Its answers are those of a search that scans each block as a whole and walks each path alone.
@Suite(.disabledUnderSanitizers) struct EngineLargeBlockTests {
    // The tests run in their own processes, whose heaps nothing else changes between the searches.

    @Test func listedReferencesGiveTheAnswersOfWholeScans() async {
        await #expect(processExitsWith: .success) {
            for isLeaked in [false, true] {
                try await Grove.compare("objects") { Grove(isLeaked: isLeaked, { $0 }) }
                try await Grove.compare("optionals") { Grove(isLeaked: isLeaked, { Optional($0) }) }
                try await Grove.compare("tuples") { Grove(isLeaked: isLeaked, { (7, $0) }) }
                try await Grove.compare("structs") { Grove(isLeaked: isLeaked, { Beside($0) }) }
                try await Grove.compare("payloads") { Grove(isLeaked: isLeaked, { EnginePayload.leaf($0) }) }
                try await Grove.compare("pairs") { Grove(isLeaked: isLeaked, { EnginePayload.pair($0, name: "a") }) }
                try await Grove.compare("closures") {
                    Grove(isLeaked: isLeaked, { leaf -> () -> Void in { leaf.next = nil } })
                }
                try await Grove.compare("any values") { Grove(isLeaked: isLeaked, { $0 as Any }) }
                try await Grove.compare("arrays") { Grove(isLeaked: isLeaked, { [$0] }) }
                try await Grove.compare("unmanaged values") {
                    Grove(isLeaked: isLeaked, { Unmanaged.passRetained($0) })
                }
            }
        }
    }

    @Test func listedReferencesOfCollectionsOfObjectsGiveTheAnswersOfWholeScans() async {
        await #expect(processExitsWith: .success) {
            for isLeaked in [false, true] {
                try await Grove.compare("sets") { Grove.sets(isLeaked: isLeaked) }
                try await Grove.compare("repetitions") { Grove.repetitions(isLeaked: isLeaked) }
                try await Grove.compare("back references") { Grove.backReferences(isLeaked: isLeaked) }
            }
        }
    }

    @Test func sharedPathsGiveTheAnswersOfPathsAlone() async {
        await #expect(processExitsWith: .success) {
            for isLeaked in [false, true] {
                for length in [60, 300, 4_060, 4_200, 9_000] {
                    try await Grove.compare("a list of \(length)") { Grove.list(length, isLeaked: isLeaked) }
                }
            }
            try await Grove.compare("a ring") { Grove.ring(500) }
        }
    }

    /// A search that scans the whole array for each object runs into the limit of time.
    @Test func objectsOfALargeArrayAreFoundInTime() async {
        await #expect(processExitsWith: .success) {
            ManyItems.shared.items = (0..<300_000).map { _ in ManyItem() }
            let found = try await HeapGraph.capture(options: Engine.patient).paths(
                to: "ManyItem", kind: .instance, options: RetainPaths.Options())
            #expect(found.examined == HeapGraph.usualSample)
            #expect(found.groups.map(\.signature) == ["static ManyItems.shared → ManyItems.items → ManyItem"])
        }
    }

    /// A search that walks to the head of the list for each object runs into the limit of time.
    @Test func objectsOfALeakedListAreFoundInTime() async {
        await #expect(processExitsWith: .success) {
            _ = Engine.lose {
                let owner = ListOwner()
                owner.itself = owner
                for _ in 0..<250_000 {
                    let node = LostNode()
                    node.next = owner.first
                    owner.first = node
                }
                return owner
            }
            let found = try await HeapGraph.capture(options: Engine.patient).paths(
                to: "LostNode", kind: .instance, sample: 4_000, options: RetainPaths.Options())
            #expect(found.examined == 4_000)
            #expect(found.groups.map(\.status) == [.leakedByCycle], "\(found.text())")
        }
    }

    /// The search walks round the ring for each object.
    @Test func fewObjectsOfALargeRingAreExamined() async {
        await #expect(processExitsWith: .success) {
            _ = Engine.lose {
                let first = LostNode()
                var last = first
                for _ in 1..<500_000 {
                    let node = LostNode()
                    last.next = node
                    last = node
                }
                last.next = first
                return first
            }
            let found = try await HeapGraph.capture(options: Engine.patient).paths(
                to: "LostNode", kind: .instance, options: Engine.patient)
            #expect((16..<64).contains(found.examined))
            #expect(found.groups.map(\.status) == [.cycle], "\(found.text())")
            #expect(found.groups.map(\.count) == [found.examined])
            #expect(
                found.headline == "LostNode: 500,000 now, \(found.examined) of them examined, "
                    + "spread evenly over the heap.")
        }
    }
}

private final class ManyItem {}

/// `@unchecked Sendable` is safe because one test uses the store, in a process of its own.
private final class ManyItems: @unchecked Sendable {
    static let shared = ManyItems()
    var items: [ManyItem] = []
}

private final class LostNode {
    var next: LostNode?
}

private final class ListOwner {
    var first: LostNode?
    var itself: ListOwner?
}

private struct Beside {
    unowned let owner: EngineLeaf
    let number = 5
    let leaf: EngineLeaf

    init(_ leaf: EngineLeaf) {
        owner = leaf
        self.leaf = leaf
    }
}
#endif
