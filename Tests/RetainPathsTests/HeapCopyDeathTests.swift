#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import Glibc
import LifetimeTracer
import Testing
import TracerBase

@testable import RetainPaths

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

    @Test(arguments: 0...2) func programGoesOnWhenACopyIsKilled(_ skipping: Int) async {
        await #expect(processExitsWith: .success) { [skipping] in
            // A leak, so that there is a second look.
            _ = Engine.loseLeaf()
            guard let before = try? await HeapGraph.capture(options: Engine.patient) else {
                demand(false, "there is no capture")
                return
            }
            let kills = Locked(Kills())
            let killer = Self.killChildren(skipping: skipping, kills)
            // A busy machine may give a thread no time while a copy exists.
            for _ in 0..<50 where kills.withLock({ $0.count }) == 0 {
                do {
                    let graph = try await HeapGraph.capture(options: Engine.patient)
                    // A copy that had given its answer may be killed, too.
                    let isRight = graph.leaks.obstacle != nil || graph.leaks.all.count == before.leaks.all.count
                    demand(isRight, "\(graph.leaks)")
                } catch {
                    demand("\(error)".contains("the frozen copy was killed"), "\(error)")
                }
            }
            kills.withLock { $0.isOver = true }
            killer.join()
            demand(kills.withLock { $0.count } > 0, "no copy was killed")
            let after = try? await HeapGraph.capture(options: Engine.patient)
            demand(after?.leaks.all.count == before.leaks.all.count, "\(String(describing: after?.leaks))")
        }
    }
}
#endif
