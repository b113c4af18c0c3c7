#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CTracerHeap
import ForkTesting
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// Retained sizes are the bytes that malloc gets back when the program gives up the object.
@Suite(.disabledUnderSanitizers) struct RetainedSizesTests {
    private typealias Group = HeapGraph.RetainedSizes.Group

    private static func capture(_ options: RetainPaths.Options = Engine.patient) async -> HeapGraph? {
        let graph = try? await HeapGraph.capture(options: options)
        demand(graph != nil, "there is no capture")
        return graph
    }

    /// The bytes that a variable of the garden retains; 0 if it holds nothing alone.
    private static func retained(_ variable: String, _ graph: HeapGraph) -> Int {
        let found = graph.retained.groups.filter { $0.parent == nil && $0.name == "static RetainedGarden.\(variable)" }
        demand(found.count <= 1, "\(found)")
        return found.first?.retained ?? 0
    }

    /// The groups that mention the planted objects, for a failure.
    private static func text(_ graph: HeapGraph) -> String {
        let groups = graph.retained.groups
        return groups.filter { "\($0.name) \($0.type)".contains("Retained") }.map { group in
            "\(group.parent.map { groups[$0].name } ?? "top"): \(group)\n"
        }.joined()
    }

    /// Runs a closure on a thread of its own, and returns the bytes that malloc got back meanwhile.
    ///
    /// When a thread has ended, its cache of free blocks is malloc's again. The thread gets a stack from here: the C
    /// library keeps its own stacks for later threads, and frees what belongs to them at any time.
    @discardableResult private static func freed(_ body: @escaping () -> Void) -> Int {
        let work = RetainedHolder(body)
        // Unretained, because `work` lives until the thread has been joined.
        let context = Unmanaged.passUnretained(work).toOpaque()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        demand(pthread_attr_setstack(&attributes, stack, stackSize) == 0, "the thread gets no stack")
        defer { pthread_attr_destroy(&attributes) }
        var thread = pthread_t()
        let before = lt_heap_bytes_in_use()
        let failure = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<RetainedHolder<() -> Void>>.fromOpaque(context).takeUnretainedValue().value()
                return nil
            }, context)
        pthread_join(thread, nil)
        let after = lt_heap_bytes_in_use()
        demand(failure == 0)
        return withExtendedLifetime(work) { Int(before - after) }
    }

    private static let stackSize = 8 << 20

    // Safe: only one thread at a time uses the stack, because `freed` waits for the thread's end.
    nonisolated(unsafe) private static let stack: UnsafeMutableRawPointer = {
        let mapped = mmap(nil, stackSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let mapped, mapped != MAP_FAILED else { fatalError("no memory for a stack") }
        return mapped
    }()

    /// Waits until the thread of searches, which ends when no search is left, has freed its memory.
    private static func awaitEndOfSearches() async {
        while isSearching { try? await Task.sleep(for: .milliseconds(1)) }
    }

    private static var isSearching: Bool {
        guard let folder = opendir("/proc/self/task") else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if let id = Int32(name), ThreadStacks.name(of: id) == "tracer-search" { return true }
        }
        return false
    }

    /// Clears the free blocks that the calling thread gets next.
    ///
    /// The runtime leaves a part of an actor's memory as malloc returned it, with words of earlier objects.
    private static func clearFreeBlocks() {
        let blocks = (1...64).flatMap { size in (0..<7).map { _ in calloc(1, size * 16) } }
        for block in blocks { free(block) }
    }

    /// Gives up what a variable of the garden holds.
    private static func clear(_ variable: String) {
        if variable == "first" { RetainedGarden.first = nil } else { RetainedGarden.second = nil }
    }

    /// The variables of the garden that hold something.
    ///
    /// Most shapes leave the second one empty.
    /// Not inlined, because a copy of a variable would stay in the frame of the requesting Task.
    private static var plantedVariables: [String] {
        @inline(never) get { RetainedGarden.second == nil ? ["first"] : ["first", "second"] }
    }

    // The tests run in their own processes, so that nothing else allocates at the same time.

    /// Plants a shape, and compares the bytes that a variable retains with those that malloc gets back.
    ///
    /// Returns the difference; `nil` if there is none.
    private static func mistake(_ shape: RetainedShape) async -> String? {
        // The first release of a shape reads metadata, which allocates.
        for _ in 0..<2 {
            freed {
                (RetainedGarden.first, RetainedGarden.second) = (nil, nil)
                clearFreeBlocks()
                (RetainedGarden.first, RetainedGarden.second) = shape.plant()
            }
        }
        for variable in plantedVariables {
            guard let graph = await capture() else { return nil }
            demand(graph.retained.obstacle == nil, graph.retained.obstacle ?? "")
            await awaitEndOfSearches()
            // The first thread after a search may get a new arena, whose header counts as in use. Threads that end may
            // still be giving memory back.
            while freed({ free(malloc(100)) }) != 0 {}
            let freed = freed { clear(variable) }
            let retained = retained(variable, graph)
            guard retained == freed else {
                return "\(shape.name), \(variable): retains \(retained), malloc got \(freed)\n\(text(graph))"
            }
        }
        return nil
    }

    /// How often a shape is planted at most.
    private static let attempts = 10

    @Test func retainedBytesAreThoseThatMallocGetsBack() async {
        await #expect(processExitsWith: .success) {
            demand(RetainedShape.all.count >= 50, "\(RetainedShape.all.count) shapes")
            // Threads of the test runner may end at the same time, which gives their caches back to malloc. So a
            // mistake counts if it is made each time.
            for shape in RetainedShape.all {
                var mistake: String?
                for _ in 0..<Self.attempts {
                    mistake = await Self.mistake(shape)
                    if mistake == nil { break }
                }
                demand(mistake == nil, mistake ?? "")
            }
        }
    }

    // The optimiser must neither merge nor remove the types of the planted objects, so no other test makes them.

    private final class Link {
        var next: Link?
        var payload: Payload?
        deinit { while let link = next, isKnownUniquelyReferenced(&next) { (next, link.next) = (link.next, nil) } }
    }

    private final class Payload {
        var numbers = (1, 2, 3)
    }

    private static func line(_ name: String, _ graph: HeapGraph) -> HeapGraph.Line? {
        graph.lines.first { $0.name.hasSuffix(name) && $0.kind == .instance }
    }

    /// Plants a list that only the variable holds.
    @inline(never) private static func plantList() {
        let first = Link()
        var last = first
        for _ in 1..<1_000 {
            let link = Link()
            (last.next, link.payload) = (link, Payload())
            last = link
        }
        RetainedGarden.first = first
    }

    @Test func listIsOneGroupAndCountsOnce() async {
        await #expect(processExitsWith: .success) {
            Self.plantList()
            guard let graph = await Self.capture(), let links = Self.line("Link", graph),
                let payloads = Self.line("Payload", graph)
            else {
                demand(false, "there are no lines")
                return
            }
            demand(links.count == 1_000 && payloads.count == 999, "\(links), \(payloads)")
            demand(links.retained == links.bytes + payloads.bytes, "\(links), \(payloads)")
            demand(payloads.retained == payloads.bytes, "\(payloads)")
            let groups = graph.retained.groups
            let root = groups.indices.filter { groups[$0].name == "static RetainedGarden.first" }
            demand(root.count == 1, "\(root.map { groups[$0] })")
            demand(groups[root[0]].kind == .variable && groups[root[0]].isOfProgram, "\(groups[root[0]])")
            demand(groups[root[0]].retained == links.bytes + payloads.bytes)
            let below = graph.retained.below(root[0])
            demand(below.count == 1 && groups[below[0]].count == 1_000, "\(below.map { groups[$0] })")
            demand(groups[below[0]].bytes == links.bytes && groups[below[0]].largest == links.retained)
            let held = graph.retained.below(below[0])
            demand(held.count == 1 && groups[held[0]].count == 999 && groups[held[0]].retained == payloads.bytes)
            demand(graph.retained.unlisted(below: below[0]) == 0)
        }
    }

    private static func measured(_ objects: [AnyObject]) async -> [Int] {
        do {
            return try await HeapGraph.retainedBytes(of: objects, options: Engine.patient).map { $0 ?? 0 }
        } catch {
            demand(false, "\(error)")
            return []
        }
    }

    @Test func objectsAreMeasuredAlone() async {
        await #expect(processExitsWith: .success) {
            let (chain, single) = (RetainedNode(chain: 10), RetainedNode())
            chain.other = single
            let measured = await Self.measured([chain, single])
            // The caller holds the eleventh node, too.
            demand(measured[1] > 0 && measured[0] == 10 * measured[1], "\(measured)")
            chain.other = RetainedNode()
            let more = await Self.measured([chain])
            demand(more == [11 * measured[1]], "\(more)")
            let tooMany = Array(repeating: single as AnyObject, count: HeapGraph.mostMeasuredObjects + 1)
            do {
                _ = try await HeapGraph.retainedBytes(of: tooMany)
                demand(false, "65 objects were measured")
            } catch {
                demand("\(error)".contains("65 objects are too many; ask for at most 64"), "\(error)")
            }
            withExtendedLifetime((chain, single)) {}
        }
    }

    @Test func wholeIsTheSumOfItsParts() async {
        await #expect(processExitsWith: .success) {
            guard let graph = await Self.capture() else { return }
            let retained = graph.retained
            demand(retained.leftOut == 0 && retained.bytes > 0 && retained.count > 100)
            demand(retained.unlisted(below: nil) == 0)
            for (index, group) in retained.groups.enumerated() {
                let below = retained.below(index).reduce(group.bytes) { $0 + retained.groups[$1].retained }
                demand(below == group.retained, "\(group), \(below)")
            }
            let reached = graph.lines.reduce(0) { max($0, $1.retained ?? 0) }
            demand(reached <= retained.bytes)
        }
    }

    @Test func threadAndTaskAreRoots() async {
        await #expect(processExitsWith: .success) {
            let waits = AsyncStream<Int>.makeStream()
            let task = Task {
                let payloads = (0..<500).map { _ in Payload() }
                for await _ in waits.stream {}
                withExtendedLifetime(payloads) {}
            }
            var captured: HeapGraph?
            while captured == nil {
                guard let graph = await Self.capture() else { return }
                let isHeld = Self.line("Payload", graph)?.count == 500
                captured = isHeld ? graph : nil
            }
            guard let groups = captured?.retained.groups else { return }
            let tasks = groups.first { $0.parent == nil && $0.kind == .task }
            demand(tasks.map { $0.retained > 500 * 48 } ?? false, "\(groups.filter { $0.parent == nil })")
            waits.continuation.finish()
            await task.value
        }
    }

    // The test runs in its own process, because other tests allocate at the same time.
    @Test func lowMemoryLimitLeavesCensusAndSaysSo() async {
        await #expect(processExitsWith: .success) {
            RetainedGarden.first = RetainedHolder((0..<300_000).map { _ in Payload() })
            guard let whole = await Self.capture() else { return }
            demand(whole.retained.obstacle == nil && whole.cost.copyBytes > 20 << 20, "\(whole.cost)")
            var options = Engine.patient
            var found: Set<String> = []
            // Between a limit that suffices for nothing and one that suffices for everything.
            for percent in stride(from: 50, to: 100, by: 10) {
                options.memoryLimit = whole.cost.copyBytes / 100 * percent
                guard let part = await Self.capture(options) else { return }
                demand(Self.line("Payload", part)?.count == 300_000 || part.leftOut != nil)
                if part.retained.obstacle == nil { continue }
                demand(part.retained.groups.isEmpty && Self.line("Payload", part)?.retained == nil)
                found.insert(part.leaks.obstacle == nil ? "leaks alone" : "neither")
            }
            demand(found.contains("leaks alone"), "\(found)")
        }
    }
}
#endif
