#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import LifetimeTracer

@testable import RetainPaths

/// Holds the collections in use.
///
/// `@unchecked Sendable` is safe because each test that uses the shed runs in a process of its own.
private final class Shed: @unchecked Sendable {
    static let shared = Shed()
    var kept: [AnyObject] = []
}

/// Holds a collection, and holds itself if it is to be leaked.
private final class Pot<Content> {
    var content: Content
    var itself: AnyObject?

    init(_ content: Content) { self.content = content }
}

private final class CountedBuffer<Element>: ManagedBuffer<Int, Element> {}

private final class Ticket: Hashable {
    static func == (left: Ticket, right: Ticket) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Objects in collections of several kinds, each larger than the searches' limit for large blocks.
struct Grove {
    private static let size = 60

    private var targets: [UInt64] = []
    private let isLeaked: Bool

    private init(isLeaked: Bool) { self.isLeaked = isLeaked }

    /// Holds each collection in use or leaks it.
    private mutating func add<Content>(_ content: Content, _ objects: [AnyObject]) {
        let pot = Pot(content)
        if isLeaked {
            pot.itself = pot
        } else {
            Shed.shared.kept.append(pot)
        }
        targets += objects.map(Engine.inverted)
    }

    private static func leaves() -> [EngineLeaf] { (0..<size).map { _ in EngineLeaf() } }

    /// One collection of each kind, with new objects.
    ///
    /// - Parameter element: Makes the element with an object.
    init<Element>(isLeaked: Bool, _ element: (EngineLeaf) -> Element) {
        self.init(isLeaked: isLeaked)
        var leaves = Self.leaves()
        func elements() -> [Element] {
            leaves = Self.leaves()
            return leaves.map(element)
        }
        add(elements(), leaves)
        add(ContiguousArray(elements()), leaves)
        add(elements()[10..<50], leaves)
        add(Dictionary(uniqueKeysWithValues: elements().enumerated().map { ($0.offset, $0.element) }), leaves)
        add(Dictionary(uniqueKeysWithValues: elements().enumerated().map { ("\($0.offset)", $0.element) }), leaves)
        add(Self.buffer(elements(), isCounted: true), leaves)
        add(Self.buffer(elements(), isCounted: false), leaves)
        let memory = UnsafeMutablePointer<Element>.allocate(capacity: Self.size)
        memory.initialize(from: elements(), count: Self.size)
        add(memory, leaves)
    }

    private static func buffer<Element>(_ elements: [Element], isCounted: Bool) -> AnyObject {
        let buffer = CountedBuffer<Element>.create(minimumCapacity: elements.count) { _ in
            isCounted ? elements.count : -1
        }
        buffer.withUnsafeMutablePointerToElements { $0.initialize(from: elements, count: elements.count) }
        return buffer
    }

    static func sets(isLeaked: Bool) -> Self {
        var grove = Self(isLeaked: isLeaked)
        var tickets = (0..<size).map { _ in Ticket() }
        grove.add(Set(tickets), tickets)
        tickets = (0..<size).map { _ in Ticket() }
        let leaves = leaves()
        grove.add(Dictionary(uniqueKeysWithValues: zip(tickets, leaves)), tickets + leaves)
        // A ticket is a key, and also the value of another key.
        grove.add(Dictionary(uniqueKeysWithValues: zip(tickets, tickets.reversed())), [])
        return grove
    }

    /// The same objects several times in a collection, and in several collections in different orders.
    static func repetitions(isLeaked: Bool) -> Self {
        var grove = Self(isLeaked: isLeaked)
        let leaves = leaves()
        grove.add(leaves + leaves.reversed() + leaves, leaves)
        grove.add(leaves.reversed() + leaves, [])
        let memory = UnsafeMutablePointer<EngineLeaf>.allocate(capacity: 2 * size)
        memory.initialize(from: Array(leaves[5...] + leaves.reversed()), count: 2 * size - 5)
        grove.add(memory, [])
        // A reference that no layout confirms comes before one that a layout confirms.
        let payloads = leaves.map { EnginePayload.leaf($0) }
        grove.add(payloads + payloads.shuffled(), [])
        return grove
    }

    /// Objects that refer to the owner of their collection, directly or not.
    static func backReferences(isLeaked: Bool) -> Self {
        var grove = Self(isLeaked: isLeaked)
        let owner = EngineLeaf()
        owner.leaves = leaves()
        for leaf in owner.leaves { leaf.next = owner }
        let distant = EngineLeaf()
        distant.leaves = leaves()
        for leaf in distant.leaves {
            leaf.next = EngineLeaf()
            leaf.next?.next = distant
        }
        if !isLeaked { Shed.shared.kept += [owner, distant] }
        let inner = distant.leaves.compactMap(\.next)
        grove.targets = (owner.leaves + distant.leaves + inner).map(Engine.inverted)
        return grove
    }

    /// A linked list, of which every seventh node is a target.
    static func list(_ length: Int, isLeaked: Bool) -> Self {
        var grove = Self(isLeaked: isLeaked)
        let nodes = (0..<length).map { _ in EngineLeaf() }
        for (node, next) in zip(nodes, nodes.dropFirst()) { node.next = next }
        let targets = stride(from: 0, to: length, by: max(7, length / 150)).map { nodes[$0] }
        grove.add(nodes[0], targets.shuffled())
        return grove
    }

    /// A leaked ring, which holds a list.
    static func ring(_ length: Int) -> Self {
        var grove = list(length, isLeaked: true)
        let nodes = (0..<length).map { _ in EngineLeaf() }
        for (node, next) in zip(nodes, nodes.dropFirst() + nodes.prefix(1)) { node.next = next }
        grove.targets += nodes.map(Engine.inverted)
        return grove
    }

    /// Requires that a search with lists answers like a search without lists.
    static func compare(_ name: String, _ plant: @escaping @Sendable () -> Self) async throws {
        // The stack of the thread is gone afterwards, with its stale words.
        let planted = Locked<[UInt64]>([])
        SimpleThread {
            let targets = plant().targets
            planted.withLock { $0 = targets }
        }.join()
        let targets = planted.withLock { $0 }
        // The first search compiles the layouts.
        _ = try await Engine.findings(targets)
        var difference: String?
        // A stale word elsewhere can come and go between two searches.
        for _ in 0..<5 {
            let plain = try await findings(targets, largeBlockSize: .max)
            let fast = try await findings(targets, largeBlockSize: 256)
            demand(plain.count == targets.count && fast.count == targets.count, name)
            demand(plain.allSatisfy { !$0.steps.isEmpty }, "\(name): a target has no path")
            difference = zip(plain, fast).first { summary(of: $0) != summary(of: $1) }.map { "\($0) != \($1)" }
            if difference == nil { break }
        }
        demand(difference == nil, "\(name): \(difference ?? "")")
    }

    private static func findings(_ targets: [UInt64], largeBlockSize: UInt32) async throws -> [HeapAnswer.Finding] {
        let options = Engine.patient
        return try await RetainPaths.onSearchThread { isCancelled in
            var question = HeapQuestion(
                targets: .addresses(targets), timeout: options.timeout, memoryLimit: options.memoryLimit)
            question.largeBlockSize = largeBlockSize
            var search = try HeapSearch(question, observer: SearchObserver(isCancelled: isCancelled))
            var budget = SearchBudget(options.timeout)
            return try search.run(within: &budget).findings
        }
    }

    /// Everything that a finding tells.
    private struct Summary: Equatable {
        let status: HeapAnswer.Finding.Status
        let numbers: [Int?]
        let cycle: ClosedRange<Int>?
        let steps, holders: [HeapAnswer.Step]
    }

    private static func summary(of finding: HeapAnswer.Finding) -> Summary {
        Summary(
            status: finding.status,
            numbers: [
                finding.strongCount, finding.unownedCount, finding.weakCount, finding.found, finding.precise,
                finding.fromRoots, finding.culprit, finding.gap, finding.size,
            ],
            cycle: finding.cycle, steps: finding.steps, holders: finding.holders)
    }
}
#endif
