#if os(Linux) && arch(x86_64) && canImport(Glibc)

/// The variables that hold planted objects.
enum RetainedGarden {
    // `nonisolated(unsafe)` is safe: one test at a time uses the variables, in a process of its own.
    nonisolated(unsafe) static var first: AnyObject?
    nonisolated(unsafe) static var second: AnyObject?
}

class RetainedNode {
    var next: RetainedNode?
    var other: RetainedNode?
    var nodes: [RetainedNode] = []
    var named: [String: RetainedNode] = [:]
    var action: (() -> Int)?
    var anything: Any?
    weak var weakly: RetainedNode?
    unowned(unsafe) var unsafely: RetainedNode?
    unowned var unownedly: RetainedNode?

    init() {}

    init(chain length: Int) {
        var last = self
        for _ in 1..<max(length, 1) {
            let node = RetainedNode()
            last.next = node
            last = node
        }
    }

    init(depth: Int) {
        guard depth > 0 else { return }
        next = RetainedNode(depth: depth - 1)
        other = RetainedNode(depth: depth - 1)
    }

    // Frees a long chain without recursion.
    deinit {
        while let node = next, isKnownUniquelyReferenced(&next) {
            next = node.next
            node.next = nil
        }
    }
}

final class RetainedSubclass: RetainedNode {
    var text = String(repeating: "subclass ", count: 10)
}

/// Breaks the cycles among its nodes when it dies.
final class RetainedBreaker {
    var nodes: [RetainedNode] = []

    init(_ nodes: [RetainedNode]) { self.nodes = nodes }

    deinit {
        for node in nodes {
            node.next = nil
            node.other = nil
            node.nodes = []
            node.action = nil
            node.anything = nil
        }
    }
}

final class RetainedHolder<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

final class RetainedMemoryOwner {
    let memory = UnsafeMutablePointer<Int>.allocate(capacity: 1_000)
    init() { memory.initialize(repeating: 0, count: 1_000) }
    deinit { memory.deallocate() }
}

/// The owner of memory of C in which the address of an object is left over.
final class RetainedLeftover {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 400, alignment: 16)

    init(_ object: AnyObject) {
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: 400)
        // Unretained, because nothing ever follows the address.
        memory.storeBytes(of: Unmanaged.passUnretained(object).toOpaque(), toByteOffset: 200, as: UnsafeRawPointer.self)
    }

    deinit { memory.deallocate() }
}

actor RetainedActor {
    let node = RetainedNode()
}

struct RetainedRow {
    var first: RetainedNode
    var second: RetainedNode?
    var numbers = (1, 2, 3, 4)
}

struct RetainedFailure: Error {
    // `nonisolated(unsafe)` is safe because no other thread uses the error.
    nonisolated(unsafe) var node = RetainedNode()
}

indirect enum RetainedTree {
    case leaf
    case branch(RetainedTree, RetainedNode, RetainedTree)

    static func make(_ depth: Int) -> Self {
        depth == 0 ? .leaf : .branch(make(depth - 1), RetainedNode(), make(depth - 1))
    }
}
#endif
