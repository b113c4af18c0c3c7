import CBenchmarks
import LifetimeTracer
import Reporting
import Synchronization

/// Snapshots of a million live objects while two threads create and release others.
struct SnapshotUnderChurn {
    let live: Int
    let rounds: Int
    let crew: Crew

    func run(_ registry: LifetimeRegistry = .shared) -> [Figure] {
        let crowd = (0..<live).map { TracedPair.make($0) }
        var taken: [Double] = []
        var listed: [Double] = []
        var locked: [Double] = []
        var longest: [Double] = []
        var longestInPeace: [Double] = []
        for _ in 0..<rounds {
            let churn = Churn(crew)
            let (take, list, pause) = Self.takeSnapshot(registry)
            longest.append(churn.end())
            taken.append(take / 1e6)
            listed.append(list / 1e6)
            locked.append(pause)
            // Measures for the same time as with the snapshot, because the longest pair grows with the time of
            // measurement.
            let peace = Churn(crew)
            let end = Stopwatch.now() + UInt64(take + list)
            while Stopwatch.now() < end { bench_yield() }
            longestInPeace.append(peace.end())
        }
        withExtendedLifetime(crowd) {}
        return [
            Figure("snapshot", "taken", unit: "ms", Spread(of: taken)),
            Figure("snapshot", "list-read", unit: "ms", Spread(of: listed)),
            Figure("snapshot", "locks-held", unit: "µs", Spread(of: locked)),
            Figure("longest-pair", "no snapshot", unit: "µs", Spread(of: longestInPeace)),
            Figure("longest-pair", "snapshot", unit: "µs", Spread(of: longest)),
        ]
    }

    /// The nanoseconds to take a snapshot and then to sort its instances, and the microseconds for which its locks were
    /// held.
    private static func takeSnapshot(_ registry: LifetimeRegistry) -> (Double, Double, Double) {
        var snapshot: Snapshot?
        let taken = Stopwatch.time { snapshot = registry.snapshot() }
        let listed = Stopwatch.time {
            precondition(snapshot?.instances.first != nil, "a snapshot lists nothing")
        }
        let pause = snapshot?.pause ?? .zero
        return (taken, listed, Double(pause.components.attoseconds) / 1e12)
    }
}

/// A crew that creates and releases objects until `end()`, and records its longest pair.
private final class Churn: Sendable {
    private let stop = Atomic<Bool>(false)
    private let longest = Guarded<UInt64>(0)
    private let isOver = Guarded(false)
    private let underWay: Guarded<Int>

    init(_ crew: Crew) {
        underWay = Guarded(crew.size)
        startThread { [self] in
            crew.perform { _ in self.work() }
            isOver.change { $0 = true }
        }
        underWay.wait { $0 == 0 ? () : nil }
    }

    /// Ends the churn and returns the longest pair in microseconds.
    func end() -> Double {
        stop.store(true, ordering: .relaxed)
        isOver.wait { $0 ? () : nil }
        return Double(longest.withLock { $0 }) / 1000
    }

    private func work() {
        let ring = LiveRing<TracedPair>()
        underWay.change { $0 -= 1 }
        var worst: UInt64 = 0
        var before = Stopwatch.now()
        while !stop.load(ordering: .relaxed) {
            ring.replace(1)
            let now = Stopwatch.now()
            worst = max(worst, now - before)
            before = now
        }
        longest.withLock { $0 = max($0, worst) }
    }
}
