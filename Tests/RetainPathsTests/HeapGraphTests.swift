#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CTracerHeap
import Dispatch
import ForkTesting
import LifetimeTracer
import Testing

@testable import RetainPaths

// The types of the planted objects. No other test makes instances of them.

private final class CensusThing {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private final class CensusFiller {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private final class CensusGeneric<Element> {
    var element: Element
    init(_ element: Element) { self.element = element }
}

private final class CensusCompared<Element> {
    var element: Element
    init(_ element: Element) { self.element = element }
}

private actor CensusActor {
    var number = 0
}

private struct CensusError: Error {
    var number: Int
}

private struct CensusRow {
    var number: Int
    var text: (Int, Int, Int) = (1, 2, 3)
}

private final class CensusHolder {
    weak var thing: CensusFiller?
    var action: (() -> Int)?
    var counter: (() -> Void)?
}

/// A census counts planted objects exactly, and all of its lines together are what malloc says is in use.
@Suite(.disabledUnderSanitizers) struct HeapGraphTests {
    private func line(
        _ name: String, _ kind: HeapGraph.Line.Kind, in graph: HeapGraph
    ) -> HeapGraph.Line? {
        let found = graph.lines.filter { $0.name == name && $0.kind == kind }
        #expect(found.count <= 1, "\(found)")
        return found.first
    }

    private func capture(options: RetainPaths.Options = Engine.patient) async throws -> HeapGraph {
        try await HeapGraph.capture(options: options)
    }

    @Test func objectsAreCountedByClass() async throws {
        let things = (0..<1_234).map(CensusThing.init)
        let generics = (0..<17).map { CensusGeneric("\($0)") }
        let actors = (0..<5).map { _ in CensusActor() }
        let graph = try await capture()
        let thing = try #require(line("CensusThing", .instance, in: graph))
        #expect(thing.count == 1_234)
        // An object of 24 bytes takes a block of 32 bytes with malloc's header. Some blocks are larger, because malloc
        // cannot use the rest.
        #expect((1_234 * 32...1_234 * 48).contains(thing.bytes))
        #expect(thing.type == "RetainPathsTests.CensusThing" && thing.isOfProgram)
        let generic = try #require(line("CensusGeneric<String>", .instance, in: graph))
        #expect(generic.count == 17 && generic.isOfProgram)
        #expect(line("CensusActor", .actor, in: graph)?.count == 5)
        #expect(line("CensusActor", .instance, in: graph) == nil)
        withExtendedLifetime((things, generics, actors)) {}
        let rest = try await capture()
        #expect(line("CensusActor", .actor, in: rest)?.count ?? 0 <= 5)
    }

    @Test func capturesAreCompared() async throws {
        var things = (0..<3).map(CensusCompared<Int>.init)
        let others = (0..<2).map { CensusCompared("\($0)") }
        let earlier = try await capture()
        things += (0..<40).map(CensusCompared.init)
        withExtendedLifetime(others) {}
        let later = try await capture()
        let changes = later.changes(since: earlier)
        let grown = try #require(changes.first { $0.line.name == "CensusCompared<Int>" })
        #expect((grown.before.count, grown.after.count, grown.countChange) == (3, 43, 40))
        #expect(grown.bytesChange >= 40 * 32 && grown.line.count == 0)
        let shrunk = try #require(changes.first { $0.line.name == "CensusCompared<String>" })
        #expect(shrunk.before.count == 2 && shrunk.after.count <= 2)
        #expect(changes.map(\.bytesChange) == changes.map(\.bytesChange).sorted(by: >))
        #expect(changes.reduce(0) { $0 + $1.bytesChange } == later.bytes - earlier.bytes)
        withExtendedLifetime(things) {}
    }

    @Test func storageIsToldApartFromElements() async throws {
        let arrays = (0..<7).map { number in Array(repeating: CensusRow(number: number), count: 100) }
        let table = [1: CensusRow(number: 1), 2: CensusRow(number: 2)]
        // An optimised build puts an array literal that does not escape on the stack.
        let things = (1...3).map { CensusGeneric($0) }
        let graph = try await capture()
        let storage = try #require(line("Array<CensusRow>", .storage, in: graph))
        #expect(storage.count == 7)
        #expect(storage.bytes >= 7 * 100 * MemoryLayout<CensusRow>.stride)
        #expect(storage.isOfProgram, "the elements are the program's")
        #expect(line("Dictionary<Int, CensusRow>", .storage, in: graph)?.count == 1)
        #expect(line("Array<CensusGeneric<Int>>", .storage, in: graph)?.count == 1)
        #expect(line("CensusGeneric<Int>", .instance, in: graph)?.count == 3)
        let strings = try #require(line("String", .storage, in: graph))
        #expect(!strings.isOfProgram)
        withExtendedLifetime((arrays, table, things)) {}
    }

    @Test func tablesOfSymbolsBelongToTheTracer() async throws {
        // The names of the first census come from symbols, which are then in memory.
        _ = try await capture()
        let tables = Symboliser.shared.statistics.tableBytes
        #expect(tables > 100_000)
        let graph = try await capture()
        #expect(try #require(line("LifetimeTracer", .tracer, in: graph)).bytes >= tables)
        #expect(!graph.lines.contains { $0.name.contains("SymbolTable.Entry") })
    }

    @Test func closuresAreCountedByFunctionAndBoxesByType() async throws {
        let holders = (0..<9).map { number in
            let holder = CensusHolder()
            holder.action = { number * 2 + holders(number) }
            var row = CensusRow(number: number)
            holder.counter = { row.number += number }
            return holder
        }
        let errors = (0..<3).map { CensusError(number: $0) as any Error }
        let graph = try await capture()
        let closures = graph.lines.filter { $0.kind == .closure && $0.name.contains("closuresAreCountedByFunction") }
        #expect(closures.map(\.count).sorted() == [9, 9], "\(closures)")
        #expect(closures.allSatisfy { $0.isOfProgram })
        #expect(line("box of CensusRow", .box, in: graph)?.count == 9)
        #expect(line("error CensusError", .box, in: graph)?.count == 3)
        withExtendedLifetime((holders, errors)) {}
        func holders(_ number: Int) -> Int { number }
    }

    @Test func weaklyReferencedObjectHasReferenceCountsOfItsOwn() async throws {
        let before = try await capture()
        let things = (0..<5_000).map(CensusFiller.init)
        let holders = things.map { thing in
            let holder = CensusHolder()
            holder.thing = thing
            return holder
        }
        let after = try await capture()
        let name = "Swift reference counts"
        let more = (line(name, .runtime, in: after)?.count ?? 0) - (line(name, .runtime, in: before)?.count ?? 0)
        #expect((4_500...5_500).contains(more), "\(more)")
        withExtendedLifetime((things, holders)) {}
    }

    @Test func tasksAndDispatchObjectsAreCounted() async throws {
        let queues = (0..<300).map { DispatchQueue(label: "census \($0)") }
        let tasks = (0..<200).map { _ in
            Task { try? await Task.sleep(for: .seconds(600)) }
        }
        defer { for task in tasks { task.cancel() } }
        let graph = try await capture()
        #expect(line("Task", .task, in: graph)?.count ?? 0 >= 200)
        #expect(line("Dispatch queue", .dispatch, in: graph)?.count ?? 0 >= 300)
        withExtendedLifetime(queues) {}
    }

    // The test runs in its own process, because other tests allocate at the same time.
    @Test func sumOfLinesIsWhatMallocSays() async {
        await #expect(processExitsWith: .success) {
            // The first census reads symbols and compiles layouts.
            _ = try? await HeapGraph.capture(options: Engine.patient)
            var kept: [[CensusThing]] = []
            for size in [1, 10, 1_000, 100_000] { kept.append((0..<size).map(CensusThing.init)) }
            let large = UnsafeMutableRawPointer.allocate(byteCount: 3 << 20, alignment: 16)
            let small = (0..<50_000).map { UnsafeMutableRawPointer.allocate(byteCount: 16 + $0 % 900, alignment: 16) }
            for index in stride(from: 0, to: small.count, by: 3) { small[index].deallocate() }
            let before = Int(lt_heap_bytes_in_use())
            guard let graph = try? await HeapGraph.capture(options: Engine.patient) else {
                demand(false, "there is no census")
                return
            }
            let after = Int(lt_heap_bytes_in_use())
            let difference = min(abs(graph.bytes - before), abs(graph.bytes - after))
            demand(
                difference <= before / 100,
                "the lines have \(graph.bytes) bytes; malloc says \(before) before and \(after) after")
            demand(graph.leftOut == nil)
            let unknown = graph.lines.filter { $0.kind == .unknown }
            demand(unknown.count == 1 && unknown[0].bytes > 3 << 20, "\(unknown)")
            withExtendedLifetime((kept, large, small)) {}
        }
    }

    // The test runs in its own process, because other tests allocate at the same time.
    @Test func blocksAboveTheMemoryLimitAreLeftOut() async {
        await #expect(processExitsWith: .success) {
            // The first census reads symbols, which take megabytes.
            _ = try? await HeapGraph.capture(options: Engine.patient)
            let fillers = (0..<400_000).map(CensusFiller.init)
            var options = Engine.patient
            guard let whole = try? await HeapGraph.capture(options: options) else {
                demand(false, "there is no census")
                return
            }
            demand(whole.leftOut == nil)
            options.memoryLimit = 8 << 20
            guard let part = try? await HeapGraph.capture(options: options), let leftOut = part.leftOut else {
                demand(false, "nothing was left out")
                return
            }
            let known = part.lines.first { $0.name == "CensusFiller" }?.count ?? 0
            demand(leftOut.count > 10_000 && known > 10_000, "\(leftOut), and \(known) fillers")
            demand(
                abs(part.bytes - whole.bytes) < whole.bytes / 50,
                "\(part.bytes) bytes in all, and \(whole.bytes) without the limit")
            withExtendedLifetime(fillers) {}
        }
    }

    @Test func tooLowMemoryLimitIsReported() async throws {
        _ = try await capture()
        var options = Engine.patient
        options.memoryLimit = 200_000
        await #expect(throws: RetainPathsError.outOfMemory(limit: 200_000)) { try await capture(options: options) }
    }

    @Test func exceededTimeoutIsReported() async throws {
        _ = try await capture()
        var options = RetainPaths.Options()
        options.timeout = .nanoseconds(1)
        let error = await #expect(throws: RetainPathsError.self) { try await capture(options: options) }
        guard case .timedOut = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func cancelledCensusEnds() async throws {
        let census = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await HeapGraph.capture(options: Engine.patient)
        }
        await #expect(throws: RetainPathsError.cancelled) { try await census.value }
    }

    @Test func progressIsReported() async throws {
        let steps = Locked<[String]>([])
        _ = try await HeapGraph.capture(options: Engine.patient) { step in steps.withLock { $0.append(step.rawValue) } }
        let seen = steps.withLock { $0 }
        #expect(seen.first == "preparing" && seen.last == "naming", "\(seen)")
    }

    @Test(arguments: [
        ("Demo.Hub<Swift.String>", ["Demo", "Swift"]), ("(extension in Demo):Swift.Array.Part", ["Demo", "Swift"]),
        ("(extension in Foundation):Swift.String.Part", ["Foundation", "Swift"]),
        ("Demo.Outer<Swift.Int>.Inner", ["Demo", "Swift"]), ("Array", []),
    ])
    func modulesOfATypeAreFound(type: String, modules: [String]) {
        #expect(LineNaming.modules(in: type) == Set(modules))
    }
}
#endif
