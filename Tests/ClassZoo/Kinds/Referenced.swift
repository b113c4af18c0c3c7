import ClassZooNeighbour
import Foundation

/// Objects that die while others still refer to them, or that die on another thread or task than they were born on.
enum Referenced {
    static func visitAll() async {
        weakAndUnowned()
        cycles()
        treesOfNodes()
        await actorsAndTasks()
        otherThreads()
        manyAtOnce()
    }

    private static func weakAndUnowned() {
        var held: [Watched] = []
        visit("Watcher") { _ in
            let it = Watched()
            held.append(it)
            return Watcher(it)
        }
        visit("UnownedHolder") { _ in
            let it = Watched()
            held.append(it)
            return UnownedHolder(it)
        }
        // All die, and the memory of those with unowned references stays.
        held.removeAll()
        expected.append(("Watched", 10, 0))
    }

    private static func cycles() {
        for _ in 0..<4 {
            let first = Ring()
            let second = Ring()
            first.next = second
            second.next = first
        }
        expected.append(("Ring", 8, 8))
    }

    private static func treesOfNodes() {
        let root = Node()
        for _ in 0..<10 {
            let child = Node()
            child.parent = root
            root.children.append(child)
        }
        root.children.removeFirst(4)
        kept.append(root)
        expected.append(("Node", 11, 7))
    }

    private static func actorsAndTasks() async {
        var sum = 0
        for _ in 0..<6 {
            let actor = Actor2()
            sum += await actor.next()
        }
        let tasks = (0..<6).map { number in Task.detached { GenericTask("\(number)") } }
        for task in tasks { await keepInTask(task.value) }
        sum += await Global.shared.number
        expected += [("Actor2", 6, 0), ("GenericTask<Swift.String>", 6, 6), ("Global", 1, 1)]
        show(sum as NSNumber)
    }

    private static func keepInTask(_ object: GenericTask<String>) async { kept.append(object) }

    /// Half of the objects die on the thread on which they were born, and half after the thread has ended.
    private static func otherThreads() {
        // `nonisolated(unsafe)` is safe because the lock protects the array until all threads have finished.
        nonisolated(unsafe) var survivors: [[Threaded]] = []
        let lock = NSLock()
        // A function of its own: when it has returned, the thread refers to no object.
        @Sendable @inline(never) func addHalf() {
            let half = Array((0..<1000).map { _ in Threaded() }.prefix(500))
            lock.withLock { survivors.append(half) }
        }
        let finished = DispatchSemaphore(value: 0)
        for _ in 0..<4 {
            Thread {
                addHalf()
                finished.signal()
            }.start()
        }
        for _ in 0..<4 { finished.wait() }
        survivors.removeLast(2)
        kept += survivors.flatMap(\.self) as [AnyObject]
        expected.append(("Threaded", 4000, 1000))
    }

    private static func manyAtOnce() {
        var ring = [Many?](repeating: nil, count: 1024)
        for number in 0..<200_000 { ring[number & 1023] = Many(number) }
        kept += ring.compactMap(\.self) as [AnyObject]
        expected.append(("Many", 200_000, 1024))
    }
}

actor Actor2 {
    var number = 1
    func next() async -> Int {
        await Task.yield()
        number += 1
        return number
    }
}
final class GenericTask<Value: Sendable>: Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}
// `@unchecked Sendable` is safe because nobody accesses the fields after the initializer.
final class Threaded: @unchecked Sendable {
    var number = 1
    var text = "threaded"
}
final class Many {
    var number: Int
    init(_ number: Int) { self.number = number }
}
