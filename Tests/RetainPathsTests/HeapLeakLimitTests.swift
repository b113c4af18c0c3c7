#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import Testing

@testable import RetainPaths

private final class LimitRow {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private final class LeakRing {
    var next: LeakRing?
}

private final class LeakGrid<Row, Column> {}

/// Captures that reach a limit.
///
/// Each test runs in a process of its own, so that no other test changes the heap meanwhile.
@Suite(.disabledUnderSanitizers) struct HeapLeakLimitTests {
    @Test func limitsThatDoNotSufficeAreSaid() async {
        await #expect(processExitsWith: .success) {
            // The check of the first search needs more memory.
            _ = try? await HeapGraph.capture(options: Engine.patient)
            let rows = (0..<400_000).map(LimitRow.init)
            var options = Engine.patient
            options.memoryLimit = 12 << 20
            guard let graph = try? await HeapGraph.capture(options: options) else {
                demand(false, "there is no census")
                return
            }
            demand(graph.lines.contains { $0.name == "LimitRow" })
            demand(graph.leaks.all.isEmpty)
            demand(graph.leaks.obstacle?.contains("12") == true, "\(graph.leaks.obstacle ?? "no obstacle")")
            withExtendedLifetime(rows) {}
        }
    }

    /// Rings of 1 to `count` objects, which are all different leaks.
    @inline(never)
    private static func leakRings(_ count: Int) {
        for length in 1...count {
            let first = LeakRing()
            var last = first
            for _ in 1..<length {
                let next = LeakRing()
                last.next = next
                last = next
            }
            last.next = first
        }
    }

    /// Over-retains an object of a class of its own for each pair of types.
    @inline(never)
    private static func overRetainGrid(of types: [Any.Type]) {
        func overRetain<Row, Column>(_ row: Row.Type, _ column: Column.Type) {
            // Safe: the object is retained by hand and never released. This is the leak that the test looks for.
            _ = Unmanaged.passRetained(LeakGrid<Row, Column>())
        }
        for row in types { for column in types { overRetain(row, column) } }
    }

    @Test func uncertainLeaksLeaveRoomForCertainOnes() async {
        await #expect(processExitsWith: .success) {
            Self.overRetainGrid(of: [
                Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
                UInt32.self, UInt64.self, Float.self, Double.self, Bool.self, String.self, Character.self,
                Substring.self, Never.self, Any.self, Void.self, [Int].self, [Bool].self, [String].self,
                Set<Int>.self, Set<Bool>.self,
            ])
            Self.leakRings(10)
            guard let graph = try? await HeapGraph.capture(options: Engine.patient) else {
                demand(false, "there is no capture")
                return
            }
            let leaks = graph.leaks
            let grid = leaks.uncertain.filter { $0.name.hasPrefix("LeakGrid") }.count
            demand(grid > 200 && leaks.leftOut > 200, "the limit is reached: \(grid) listed, \(leaks.leftOut) left out")
            demand(leaks.leftOutCycles == 0, "\(leaks.leftOutCycles) cycles are left out")
            let rings = leaks.cycles.filter { $0.name == "LeakRing" }.reduce(0) { $0 + $1.count }
            demand(rings == 10, "\(rings) of 10 rings")
        }
    }

    @Test func leaksWithoutAnEntryAreCounted() async {
        await #expect(processExitsWith: .success) {
            Self.leakRings(600)
            guard let graph = try? await HeapGraph.capture(options: Engine.patient) else {
                demand(false, "there is no capture")
                return
            }
            let rings = graph.leaks.cycles.filter { $0.name == "LeakRing" }
            let listed = rings.reduce(0) { $0 + $1.count }
            demand(listed == 512 && graph.leaks.leftOut == 600 - 512, "\(listed), \(graph.leaks.leftOut)")
            demand(graph.leaks.leftOutCycles == 600 - 512, "\(graph.leaks.leftOutCycles) cycles are left out")
            demand(rings.contains { $0.count == 1 && $0.objects == 1 && $0.path.count == 1 }, "the smallest ring")
        }
    }
}
#endif
