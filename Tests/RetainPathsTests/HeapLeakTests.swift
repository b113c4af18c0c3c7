#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

// The types of the planted leaks. No other test makes instances of them.

private final class LeakDocument: @unchecked Sendable, LockedState {
    // `@unchecked Sendable` is safe because each object belongs to one test.
    var pages: [LeakPage] = []
    var title = "a title that is too long to be stored in the string itself"
}

private final class LeakPage: Sendable {
    let document: LeakDocument
    init(_ document: LeakDocument) { self.document = document }
}

private final class LeakTicker {
    let number: Int
    var action: (() -> Int)?
    var ledger: LeakLedger?
    init(_ number: Int) { self.number = number }
}

private final class LeakHook {
    let number: Int
    var action: (() -> Int)?
    init(_ number: Int) { self.number = number }
}

private final class LeakCounter {
    let number: Int
    var action: (() -> Int)?
    init(_ number: Int) { self.number = number }
}

private final class LeakLedger {
    let rows = (0..<10).map(LeakRow.init)
}

private final class LeakRow {
    let number: Int
    init(_ number: Int) { self.number = number }
}

private final class LeakLoner {}

private final class LeakPair {
    var partner: LeakPair?
}

private final class LeakWaiter: @unchecked Sendable {
    // `@unchecked Sendable` is safe because each object belongs to one test.
    var task: Task<Void, Never>?

    func wait() async {
        await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
}

private final class LeakTraced: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because each object belongs to one test.
    var partner: LeakTraced?
}

/// Leaks of classes that nobody traced are found, with the cycles that keep them.
@Suite(.disabledUnderSanitizers) struct HeapLeakTests {
    private static func leaks(_ name: String, in graph: HeapGraph) -> [HeapGraph.Leak] {
        graph.leaks.all.filter { $0.name == name }
    }

    @inline(never)
    private static func leakDocuments(_ count: Int, pages: Int) {
        for _ in 0..<count {
            let document = LeakDocument()
            document.title += " \(pages)"
            document.pages = (0..<pages).map { _ in LeakPage(document) }
        }
    }

    @Test func equalCyclesAreOneLeak() async throws {
        Self.leakDocuments(12, pages: 3)
        // More pages make the same leak.
        Self.leakDocuments(5, pages: 40)
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let found = Self.leaks("LeakDocument", in: graph)
        let leak = try #require(found.first)
        #expect(found.count == 1 && leak.kind == .cycle, "\(found)")
        #expect(leak.count == 17)
        // The document, the array, the title and the pages.
        #expect(leak.objects == 12 * 6 + 5 * 43)
        #expect(leak.bytes >= (12 * 3 + 5 * 40) * 32)
        #expect(leak.type == "RetainPathsTests.LeakDocument" && leak.isOfProgram)
        #expect(leak.signature == "LeakDocument.pages → LeakPage.document → LeakDocument")
        #expect(leak.suspect != nil && leak.fingerprint != nil)
        #expect(leak.hint?.pattern == .parentAndChild, "\(leak.text(full: true))")
        #expect(leak.strongReferences == leak.explainedReferences, "\(leak)")
        #expect(leak.text().contains("LeakDocument (×17) holds itself through a cycle"), "\(leak.text())")
        #expect(Self.leaks("LeakPage", in: graph).isEmpty)
    }

    @inline(never)
    private static func leakTickers(_ count: Int) {
        for number in 0..<count {
            let ticker = LeakTicker(number)
            ticker.action = { ticker.number + 1 }
            ticker.ledger = LeakLedger()
        }
    }

    @Test func whatACycleKeepsIsCountedWithIt() async throws {
        Self.leakTickers(4)
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let found = Self.leaks("LeakTicker", in: graph)
        let leak = try #require(found.first)
        #expect(found.count == 1 && leak.kind == .cycle && leak.count == 4, "\(found)")
        // The ticker, its closure, its ledger, and the ledger's array of ten rows.
        #expect(leak.objects >= 4 * (1 + 1 + 12) - 4 && leak.objects <= 4 * (1 + 1 + 12), "\(leak.objects)")
        #expect(leak.hint?.pattern == .ownClosure, "\(leak.text(full: true))")
        let victims = leak.victims.map { "\($0.count) \($0.type)" }
        #expect(victims == ["40 RetainPathsTests.LeakRow", "4 RetainPathsTests.LeakLedger"])
        #expect(leak.text().contains("  Held by them alone: 40 LeakRow, 4 LeakLedger.\n"), "\(leak.text())")
        #expect(Self.leaks("LeakLedger", in: graph).isEmpty && Self.leaks("LeakRow", in: graph).isEmpty)
    }

    @inline(never)
    private static func leakHooks() {
        for number in 0..<3 {
            let hook = LeakHook(number)
            hook.action = { hook.number + 1 }
        }
        for number in 0..<2 {
            let hook = LeakHook(number)
            hook.action = { hook.number + 2 }
        }
    }

    @Test func closuresOfOneFunctionAreLeaksOfTheirOwn() async throws {
        let before = try await HeapGraph.capture(options: Engine.patient)
        Self.leakHooks()
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let found = Self.leaks("LeakHook", in: graph).sorted { $0.count > $1.count }
        #expect(found.map(\.count) == [3, 2], "\(found)")
        let closures = found.compactMap { leak in leak.suspect.map { leak.path[$0].name } }
        #expect(closures.map { String($0.prefix(10)) } == ["closure #1", "closure #2"], "\(closures)")
        // A known leak names both by their fingerprint.
        #expect(Set(found.map(\.fingerprint)).count == 1)
        let added = graph.leaks.cyclesAdded(since: before.leaks).filter { $0.name == "LeakHook" }
        #expect(added.map(\.count).sorted() == [2, 3])
    }

    @inline(never)
    private static func leakCounters() {
        for number in 0..<5 {
            let counter = LeakCounter(number)
            // A closure that captures the counter alone would have no context of its own.
            counter.action = { counter.number + number }
        }
    }

    @Test func closuresOfLeaksHaveTheirLineInTheCensus() async throws {
        Self.leakCounters()
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let lines = graph.lines.filter { $0.name.contains("leakCounters") }
        #expect(lines.map(\.count) == [5], "\(lines)")
        #expect(lines.allSatisfy { $0.kind == .closure && $0.isOfProgram }, "\(lines)")
    }

    @Test func leaksThatASearchMeetsByAnotherClosureAreNotNew() {
        func leaks(_ counts: KeyValuePairs<String, Int>) -> HeapGraph.Leaks {
            HeapGraph.Leaks(
                cycles: counts.map { closure, count in
                    let step = RetainStep(
                        kind: .closure, name: closure, through: "", isCertain: true, isFolded: false)
                    return HeapGraph.Leak(
                        kind: .cycle, name: "Hook", count: count, path: [step], suspect: 0,
                        fingerprint: Fingerprint(parts: ["Hook"]))
                })
        }
        func added(_ counts: KeyValuePairs<String, Int>) -> [Int] {
            leaks(counts).cyclesAdded(since: leaks(["closure #1": 4, "closure #2": 1])).map(\.count)
        }
        #expect(added(["closure #1": 3, "closure #2": 2]).isEmpty)
        #expect(added(["closure #1": 4, "closure #2": 3]) == [2])
        #expect(added(["closure #1": 4, "closure #2": 1, "closure #3": 1]) == [1])
    }

    @Test func leakOfTracedObjectsHasTheFingerprintOfItsRetainPath() async throws {
        let registry = LifetimeRegistry(clock: ManualClock())
        let id = registry.withCurrent { Self.leakTraced() }
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let leak = try #require(Self.leaks("LeakTraced", in: graph).first)
        let report = try await RetainPaths.explain([id], in: registry, options: Engine.patient)
        let explanation = try #require(report.explanations.first)
        #expect(explanation.status == .cycle && leak.kind == .cycle)
        #expect(leak.fingerprint == explanation.fingerprint && leak.fingerprint != nil)
        #expect(leak.signature == explanation.signature)
    }

    @inline(never)
    private static func leakTraced() -> InstanceID {
        let first = LeakTraced()
        let second = LeakTraced()
        first.partner = second
        second.partner = first
        return first.lifetime.id
    }

    /// Makes objects that nothing holds, each on a thread of its own.
    ///
    /// The threads have their stacks at the same time.
    private static func loseLoners(_ count: Int) {
        _ = Engine.lose {
            if count > 1 { loseLoners(count - 1) }
            return LeakLoner()
        }
    }

    /// The C library keeps the stacks of threads that have been joined, for further threads.
    @Test func joinedThreadsHoldNothing() async throws {
        Self.loseLoners(8)
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let leak = try #require(Self.leaks("LeakLoner", in: graph).first)
        // Threads of other tests reuse the stacks, with their stale words; four are missing if joined threads count.
        #expect((6...8).contains(leak.count), "\(leak)")
    }

    @inline(never)
    private static func leakPair() {
        let first = LeakPair()
        let second = LeakPair()
        first.partner = second
        second.partner = first
    }

    @Test func taskThatNobodyCanResumeIsUncertain() async throws {
        let isWaiting = (0..<20).map { _ in
            let waiter = LeakWaiter()
            let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
            waiter.task = Task {
                continuation.finish()
                await waiter.wait()
                waiter.task = nil
            }
            return stream
        }
        for stream in isWaiting { for await _ in stream {} }
        let graph = try await HeapGraph.capture(options: Engine.patient)
        let found = Self.leaks("LeakWaiter", in: graph)
        #expect(found.map(\.kind) == [.uncertainCycle], "\(found)")
        #expect(found.first?.path.contains { $0.kind == .task } == true, "\(found)")
    }

    @Test func knownLeaksAreMarked() async throws {
        Self.leakPair()
        var options = Engine.patient
        options.knownLeaks = try KnownLeaks(
            json: #"[{"pattern": "LeakPair.partner → LeakPair", "reason": "old design"}]"#)
        let graph = try await HeapGraph.capture(options: options)
        let leak = try #require(Self.leaks("LeakPair", in: graph).first)
        #expect(leak.known?.reason == "old design")
        #expect(leak.text().hasSuffix("  Known leak: old design\n"), "\(leak.text())")
    }
}
#endif
