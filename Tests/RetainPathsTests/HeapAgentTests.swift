#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CTracerHeap
import ForkTesting
import Foundation
import Glibc
import LifetimeTracer
import Patience
import Testing

@testable import RetainPaths

// The types of the objects. No other test makes instances of them.

private final class ApartDocument: @unchecked Sendable, LockedState {
    // `@unchecked Sendable` is safe because each object belongs to one test.
    var pages: [ApartPage] = []
}

private final class ApartPage: Sendable {
    let document: ApartDocument
    init(_ document: ApartDocument) { self.document = document }
}

/// Captures of a process whose test program plays the agent: everything that only its variables keep is the tracer's.
@Suite(.disabledUnderSanitizers) struct HeapAgentTests {
    private static let shelf = Locked<[ApartDocument]>([])

    @inline(never)
    private static func plantDocuments(_ count: Int, pages: Int) {
        for _ in 0..<count {
            let document = ApartDocument()
            document.pages = (0..<pages).map { _ in ApartPage(document) }
            shelf.withLock { $0.append(document) }
        }
    }

    private static func count(_ name: String, in graph: HeapGraph) -> Int {
        graph.lines.filter { $0.name == name }.reduce(0) { $0 + $1.count }
    }

    @Test func objectsOfAnAgentAreOneLineAndOneRoot() async {
        await #expect(processExitsWith: .success) {
            AgentImage.declare(#dsohandle)
            // The first capture reads symbols and compiles layouts.
            _ = try await HeapGraph.capture(options: Engine.patient)
            Self.plantDocuments(1000, pages: 1)
            let before = Int(lt_heap_bytes_in_use())
            let graph = try await HeapGraph.capture(options: Engine.patient)
            let after = Int(lt_heap_bytes_in_use())
            demand(Self.count("ApartDocument", in: graph) == 0, "\(graph.lines)")
            let own = graph.lines.first { $0.kind == .tracer }
            demand((own?.count ?? 0) >= 2000, "\(String(describing: own))")
            let roots = graph.retained.groups.filter { $0.kind == .tracer }
            demand(roots.map(\.name) == ["LifetimeTracer itself"], "\(roots)")
            demand(roots[0].parent == nil && roots[0].count >= 2000 && roots[0].bytes == roots[0].retained, "\(roots)")
            demand(graph.retained.below(graph.retained.groups.firstIndex { $0.kind == .tracer }).isEmpty)
            let difference = min(abs(graph.bytes - before), abs(graph.bytes - after))
            demand(difference <= before / 100, "\(graph.bytes) bytes; malloc says \(before) before and \(after) after")
        }
    }

    @Test func withoutAnAgentTheTracersObjectsAreLinesOfTheirTypes() async {
        await #expect(processExitsWith: .success) {
            Self.plantDocuments(1000, pages: 1)
            let graph = try await HeapGraph.capture(options: Engine.patient)
            demand(Self.count("ApartDocument", in: graph) == 1000, "\(graph.lines)")
            demand(!graph.retained.groups.contains { $0.kind == .tracer }, "\(graph.retained.groups)")
            demand(graph.retained.groups.contains { $0.name.contains("TypeLayouts") }, "\(graph.retained.groups)")
        }
    }

    /// A variable of Foundation holds the observer, and so one of the documents.
    @Test func objectOfTheProgramThatTheAgentHoldsStaysTheProgramsOwn() async {
        await #expect(processExitsWith: .success) {
            AgentImage.declare(#dsohandle)
            Self.plantDocuments(2, pages: 3)
            let document = Self.shelf.withLock { $0[0] }
            let observer = NotificationCenter.default.addObserver(
                forName: Notification.Name("apart"), object: nil, queue: nil
            ) { _ in withExtendedLifetime(document) {} }
            let graph = try await HeapGraph.capture(options: Engine.patient)
            let counts = ["ApartDocument", "ApartPage"].map { Self.count($0, in: graph) }
            demand(counts == [1, 3], "\(counts)")
            let paths = try await graph.paths(to: "ApartPage", options: Engine.patient)
            demand(paths.count == 3 && paths.groups.count == 1, "\(paths.text())")
            withExtendedLifetime(observer) {}
        }
    }

    /// The search for the holders goes on without the memory that it takes to find the objects of the agent.
    @Test func limitedMemoryLeavesTheHoldersOfTheProgramsObjects() async {
        await #expect(processExitsWith: .success) {
            AgentImage.declare(#dsohandle)
            let pages = (0..<20_000).map { _ in ApartPage(ApartDocument()) }
            let observer = NotificationCenter.default.addObserver(
                forName: Notification.Name("apart"), object: nil, queue: nil
            ) { _ in withExtendedLifetime(pages) {} }
            let graph = try await HeapGraph.capture(options: Engine.patient)
            let whole = try await graph.paths(to: "ApartPage", sample: 16, options: Engine.patient)
            demand(whole.count == 20_000, "\(whole.text())")
            var options = Engine.patient
            var found = 0
            for percent in stride(from: 60, to: 100, by: 2) {
                options.memoryLimit = whole.cost.copyBytes / 100 * percent
                do throws(RetainPathsError) {
                    let paths = try await graph.paths(to: "ApartPage", sample: 16, options: options)
                    demand(paths.count == 20_000 && paths.groups.map(\.status) == [.reachable], "\(paths.text())")
                    found += 1
                } catch {
                    demand(error == .outOfMemory(limit: options.memoryLimit), "\(error)")
                }
            }
            demand(found > 2, "\(found)")
            withExtendedLifetime(observer) {}
        }
    }

    /// The address of the shelf's last document in memory of C that a variable of the agent holds.
    private static let stale = Locked<UInt>(0)

    @inline(never)
    private static func leakDocumentWithStaleWord() {
        // Never freed: the process ends. Safe without a retain: nothing reads the word as a reference.
        let memory = UnsafeMutablePointer<UInt>.allocate(capacity: 4)
        memory.initialize(repeating: 0, count: 4)
        memory[2] = shelf.withLock { UInt(bitPattern: Unmanaged.passUnretained($0[$0.count - 1]).toOpaque()) }
        stale.withLock { $0 = UInt(bitPattern: memory) }
        shelf.withLock { _ = $0.removeLast() }
    }

    @Test func staleWordOfAnAgentHidesNoLeak() async {
        await #expect(processExitsWith: .success) {
            AgentImage.declare(#dsohandle)
            Self.plantDocuments(11, pages: 2)
            Self.leakDocumentWithStaleWord()
            let graph = try await HeapGraph.capture(options: Engine.patient)
            let leaked = graph.leaks.cycles.filter { $0.name == "ApartDocument" || $0.name == "ApartPage" }
            demand(leaked.map(\.count) == [1], "\(leaked)")
            demand(Self.count("ApartDocument", in: graph) == 1, "\(graph.lines)")
            let paths = try await graph.paths(to: "ApartDocument", options: Engine.patient)
            demand(paths.count == 1 && paths.groups.map(\.status) == [.cycle], "\(paths.text())")
        }
    }
}
#endif
