#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import Glibc
import LifetimeTracer
import Testing
import TracerBase

@testable import RetainPaths

// No other test makes instances.
private final class KilledRing {
    var next: KilledRing?
}

/// Captures whose copies of the process something kills, at any moment.
@Suite(.disabledUnderSanitizers) struct HeapCopyDeathTests {
    private struct Kills: LockedState {
        var count = 0
        var isOver = false
    }

    /// Kills the `skipping + 1`th child process, and those after it.
    private static func killChildren(skipping: Int, _ kills: Locked<Kills>) -> SimpleThread {
        SimpleThread {
            var seen: Set<Int32> = []
            while !kills.withLock({ $0.isOver }) {
                for child in children() where seen.insert(child).inserted && seen.count > skipping {
                    if kill(child, SIGKILL) == 0 { kills.withLock { $0.count += 1 } }
                }
            }
        }
    }

    /// The children of all threads of this process.
    private static func children() -> [Int32] {
        let threads = (try? ThreadStacks().threads.map(\.id)) ?? []
        return threads.flatMap { thread -> [Int32] in
            let file = try? OpenFile("/proc/self/task/\(thread)/children").bytes(atMost: 4_096)
            return String(decoding: file ?? [], as: UTF8.self).split(separator: " ").compactMap { Int32($0) }
        }
    }

    // An optimised build would remove an instance that only this function sees.
    @inline(never) @_optimize(none)
    private static func leakRing() {
        let ring = KilledRing()
        ring.next = ring
    }

    private static func isRight(_ leaks: HeapGraph.Leaks) -> Bool {
        leaks.cycles.count { $0.name == "KilledRing" } == 1
    }

    @Test(arguments: 0...2) func programGoesOnWhenACopyIsKilled(_ skipping: Int) async {
        await #expect(processExitsWith: .success) { [skipping] in
            // A leak, so that there is a second look.
            Self.leakRing()
            // Compiles the layouts, so that the next capture has few copies.
            _ = try? await HeapGraph.capture(options: Engine.patient)
            let kills = Locked(Kills())
            let killer = Self.killChildren(skipping: skipping, kills)
            // A busy machine may give a thread no time while a copy exists.
            for _ in 0..<50 where kills.withLock({ $0.count }) == 0 {
                do {
                    let graph = try await HeapGraph.capture(options: Engine.patient)
                    // A copy that had given its answer may be killed, too.
                    demand(graph.leaks.obstacle != nil || Self.isRight(graph.leaks), "\(graph.leaks)")
                } catch {
                    demand("\(error)".contains("the frozen copy was killed"), "\(error)")
                }
            }
            kills.withLock { $0.isOver = true }
            killer.join()
            demand(kills.withLock { $0.count } > 0, "no copy was killed")
            let after = try? await HeapGraph.capture(options: Engine.patient)
            demand(after.map { Self.isRight($0.leaks) } == true, "\(String(describing: after?.leaks))")
        }
    }
}
#endif
