import Dispatch
import Foundation
import LifetimeTracer

/// Threads that continuously create, change and free objects, collections, closures, tasks and Dispatch blocks.
final class Churn: Sendable {
    private let isStopping = Locked(false)
    private let finishedRounds = Locked<UInt64>(0)
    private let running = DispatchGroup()

    /// The number of rounds that all threads have completed together.
    var rounds: UInt64 { finishedRounds.withLock { $0 } }

    /// Starts the threads.
    init(threads: Int) {
        for number in 0..<threads {
            running.enter()
            Thread.detachNewThread { [self] in
                var worker = Worker(random: SplitMix(state: UInt64(number)))
                while !isStopping.withLock({ $0 }) {
                    worker.doARound()
                    finishedRounds.withLock { $0 += 1 }
                }
                running.leave()
            }
        }
    }

    /// Stops the threads and waits until they have ended.
    func stop() {
        isStopping.withLock { $0 = true }
        running.wait()
    }
}

/// The state of one thread.
private struct Worker {
    var random: SplitMix
    private var kept: [Leaf] = []
    private var byName: [String: Leaf] = [:]
    private var actions: [() -> Int] = []
    private var values: [Any] = []
    private let inFlight = Locked(0)

    init(random: SplitMix) { self.random = random }

    mutating func doARound() {
        for _ in 0..<64 {
            let leaf = Leaf(number: Int(random.next() % 1000))
            switch random.next() % 8 {
            case 0: kept.append(leaf)
            case 1: byName["leaf \(leaf.number)"] = leaf
            case 2: actions.append { leaf.number + 1 }
            case 3: values.append((leaf, [leaf, leaf]))
            case 4: leaf.next = kept.last
            case 5: runTask(with: leaf)
            case 6: runBlock(with: leaf)
            default: byName["leaf \(leaf.number)"] = nil
            }
        }
        for action in actions.suffix(4) { values.append(action()) }
        if kept.count > 400 { kept.removeFirst(300) }
        if actions.count > 400 { actions.removeAll() }
        if values.count > 400 { values.removeFirst(200) }
        if byName.count > 300 { byName = [:] }
    }

    private func runTask(with leaf: Leaf) {
        guard startFlight() else { return }
        Task.detached { [inFlight] in
            await Task.yield()
            leaf.touch()
            inFlight.withLock { $0 -= 1 }
        }
    }

    private func runBlock(with leaf: Leaf) {
        guard startFlight() else { return }
        DispatchQueue.global().async { [inFlight] in
            leaf.touch()
            inFlight.withLock { $0 -= 1 }
        }
    }

    /// Whether another task or block may start.
    ///
    /// A limit keeps them from accumulating.
    private func startFlight() -> Bool {
        inFlight.withLock { count in
            guard count < 200 else { return false }
            count += 1
            return true
        }
    }
}

/// A traced object that the threads create and free.
///
/// `@unchecked Sendable` is safe because only the creating thread changes the object before it shares it, and
/// afterwards only the one task or block that receives it.
private final class Leaf: TracedObject, @unchecked Sendable {
    let number: Int
    var next: Leaf?
    private var touches = 0

    init(number: Int) {
        self.number = number
        super.init()
    }

    deinit {
        // A long chain must not be freed by recursion, which could overflow the stack.
        var rest = next
        next = nil
        while let leaf = rest, isKnownUniquelyReferenced(&rest) {
            rest = leaf.next
            leaf.next = nil
        }
    }

    func touch() { touches += 1 }
}
