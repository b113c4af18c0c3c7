import Testing
import TracerBase

@testable import RetainPaths

/// The paths of leaks, which do not depend on the addresses of objects.
@Suite struct ReportLeakPathTests {
    private let heap = MadeUpHeap()

    private func path(_ steps: [HeapAnswer.Step]) throws -> NamedPath {
        let reader = NodeReader(names: heap.names, threads: [:], libraryModules: [])
        let finding = HeapAnswer.Finding.made(.cycle, steps, cycle: 0...(steps.count - 1))
        return try unwrapped(NamedPath(ofLeak: finding, reader: reader, libraryModules: []))
    }

    /// Two objects of a class that keep each other through closures of one function.
    @Test func cycleOfEqualObjectsBeginsAtTheSameObject() throws {
        let metadata = heap.type("Demo.Job")
        let codes = [heap.symbol(Mangled.closure1), heap.symbol(Mangled.closure2)]
        let halves = codes.map { code in
            [
                heap.object("Demo.Job", "done", edge: .function, code: code).with { $0.metadata = metadata },
                heap.closure(),
            ]
        }
        let first = try path(halves[0] + halves[1])
        let second = try path(halves[1] + halves[0])
        let repeated = try path(halves[1] + halves[0] + [halves[1][0]])
        #expect(first.nodes.map(\.name).count == 4 && first.cycle == 0...3)
        #expect(first == second && repeated.nodes == first.nodes)
        #expect(first.suspect != nil && second.suspect == first.suspect)
    }

    /// A cycle begins at an object of the class that the search has chosen.
    @Test func cycleBeginsAtTheChosenClass() throws {
        let steps = [heap.object("Demo.Zebra", "ant"), heap.object("Demo.Ant", "zebra")]
        #expect(try path(steps).nodes.map(\.name) == ["Zebra", "Ant"])
    }
}
