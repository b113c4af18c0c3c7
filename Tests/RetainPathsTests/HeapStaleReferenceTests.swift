#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Foundation
import LifetimeTracer
import Synchronization
import Testing

@testable import RetainPaths

// The types of the planted objects. No other test makes instances of them.

private struct StaleLine {
    var document: StaleDocument?
}

private final class StaleDocument {
    var lines: [StaleLine] = []

    /// Makes room for as many lines as there are, and asks for them one by one.
    @inline(never)
    func insert(_ makeLine: @escaping () -> Void) {
        let count = lines.count
        lines.insert(
            contentsOf: (0..<count).lazy.map { _ in
                makeLine()
                return StaleLine()
            }, at: 0)
    }
}

private struct RingHeader {
    /// The next place to write to, and the next one to read from.
    var head = 0, tail = 0
    var count = 0
}

private final class StaleRing: ManagedBuffer<RingHeader, StaleJob> {
    static func make() -> StaleRing { unsafeDowncast(create(minimumCapacity: 4) { _ in RingHeader() }, to: Self.self) }

    func push(_ job: StaleJob) {
        withUnsafeMutablePointers { header, places in
            (places + header.pointee.head).initialize(to: job)
            header.pointee.head = (header.pointee.head + 1) % 4
            header.pointee.count += 1
        }
    }

    /// Returns the next job; its bytes stay in the ring.
    func pop() -> StaleJob {
        withUnsafeMutablePointers { header, places in
            defer {
                header.pointee.tail = (header.pointee.tail + 1) % 4
                header.pointee.count -= 1
            }
            return (places + header.pointee.tail).move()
        }
    }

    deinit { while header.count > 0 { _ = pop() } }
}

private final class StaleJob {
    let inbox = StaleRing.make()
}

/// A stack of pages, whose header is its capacity.
private final class StalePile: ManagedBuffer<Int, StalePage> {}

private final class StalePage {
    let pile = unsafeDowncast(
        StalePile.create(minimumCapacity: 4) { pile in
            _ = pile.withUnsafeMutablePointerToElements { memset($0, 0, 4 * MemoryLayout<UInt>.size) }
            return 4
        }, to: StalePile.self)
}

private struct StaleStep {
    var session: StaleSession?
    var result = 0

    /// Gives the session up, and runs a function meanwhile.
    @inline(never)
    mutating func run(_ body: () -> Void) {
        session = nil
        body()
        result = 1
    }

    @inline(never)
    mutating func run(_ body: @Sendable () async -> Void) async {
        session = nil
        await body()
        result = 1
    }
}

/// A session that a variable of a function holds, while a step of the session runs.
///
/// `@unchecked Sendable` is safe because one thread or Task uses a session.
private final class StaleSession: @unchecked Sendable {
    var steps: [String: StaleStep] = [:]

    @inline(never)
    static func connect(_ body: () -> Void) -> Int {
        let session = StaleSession()
        session.steps["connect"] = StaleStep(session: session)
        session.steps["connect"]?.run(body)
        return session.steps.count
    }

    @inline(never)
    static func connect(_ body: @Sendable () async -> Void) async -> Int {
        let session = StaleSession()
        session.steps["connect"] = StaleStep(session: session)
        await session.steps["connect"]?.run(body)
        return session.steps.count
    }
}

/// A session whose steps a mutex protects.
private final class StaleLockedSession: Sendable {
    /// `@unchecked Sendable` is safe because the mutex protects the steps.
    private struct Step: @unchecked Sendable {
        var session: StaleLockedSession?

        @inline(never)
        mutating func run(_ body: () -> Void) {
            session = nil
            body()
        }
    }

    private let steps = Mutex<[String: Step]>([:])

    @inline(never)
    static func connect(_ body: () -> Void) -> Int {
        let session = StaleLockedSession()
        session.steps.withLock { $0["connect"] = Step(session: session) }
        session.steps.withLock { $0["connect"]?.run(body) }
        return session.steps.withLock { $0.count }
    }
}

/// A function on another thread that has stopped half-way.
private struct StoppedFunction {
    private let mayGoOn = DispatchSemaphore(value: 0)

    /// Runs a function on a new thread until it stops.
    init(_ body: @escaping @Sendable (_ stop: () -> Void) -> Void) async {
        let mayGoOn = mayGoOn
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                body {
                    continuation.resume()
                    mayGoOn.wait()
                }
            }
        }
    }

    func goOn() { mayGoOn.signal() }
}

/// Bytes that look like references, but were left behind, make no live object a leak.
@Suite(.disabledUnderSanitizers, .serialized) struct HeapStaleReferenceTests {
    /// Expects a number of live instances of a class, and no leak of the class.
    private func expectNoLeak(of name: String, live: Int) async throws {
        let graph = try await HeapGraph.capture(options: Engine.patient)
        #expect(graph.lines(named: name, kind: .instance).first?.count == live)
        let leaks = graph.leaks.all.filter { $0.name == name }
        #expect(leaks.isEmpty, "\(leaks)")
    }

    /// While an array makes room for elements, the room contains copies of others.
    @Test(arguments: [1, 20]) func objectWithAnArrayThatIsBeingChangedIsNoLeak(lines: Int) async throws {
        let function = await StoppedFunction { stop in
            let document = StaleDocument()
            document.lines.reserveCapacity(64)
            for _ in 0..<lines { document.lines.append(StaleLine(document: document)) }
            var isFirst = true
            withoutActuallyEscaping(stop) { stop in
                document.insert {
                    guard isFirst else { return }
                    isFirst = false
                    stop()
                }
            }
            document.lines = []
        }
        defer { function.goOn() }
        try await expectNoLeak(of: "StaleDocument", live: 1)
    }

    /// While a value in a dictionary is being changed, the dictionary's place keeps the former bytes.
    @Test func objectWithADictionaryWhoseValueIsBeingChangedIsNoLeak() async throws {
        let function = await StoppedFunction { stop in _ = StaleSession.connect(stop) }
        defer { function.goOn() }
        try await expectNoLeak(of: "StaleSession", live: 1)
    }

    /// The value of a mutex is changed without an access that the runtime lists.
    @Test func objectWithADictionaryInALockedMutexIsNoLeak() async throws {
        let function = await StoppedFunction { stop in _ = StaleLockedSession.connect(stop) }
        defer { function.goOn() }
        try await expectNoLeak(of: "StaleLockedSession", live: 1)
    }

    @Test func objectWithADictionaryWhoseValueATaskIsChangingIsNoLeak() async throws {
        let (hasBegun, begin) = AsyncStream.makeStream(of: CheckedContinuation<Void, Never>.self)
        let task = Task {
            await StaleSession.connect {
                await withCheckedContinuation { _ = begin.yield($0) }
            }
        }
        var stopped = hasBegun.makeAsyncIterator()
        let continuation = try #require(await stopped.next())
        try await expectNoLeak(of: "StaleSession", live: 1)
        continuation.resume()
        #expect(await task.value == 1)
    }

    /// Keeps an object as memory of C would.
    private static func keep(_ object: AnyObject) -> UnsafeMutablePointer<Unmanaged<AnyObject>> {
        let memory = UnsafeMutablePointer<Unmanaged<AnyObject>>.allocate(capacity: 1)
        // Safe: `release` below balances the retain.
        memory.initialize(to: .passRetained(object))
        return memory
    }

    private static func release(_ memory: UnsafeMutablePointer<Unmanaged<AnyObject>>) {
        memory.pointee.release()
        memory.deallocate()
    }

    @inline(never)
    private static func jobOutOfItsInbox() -> UnsafeMutablePointer<Unmanaged<AnyObject>> {
        let job = StaleJob()
        job.inbox.push(job)
        _ = job.inbox.pop()
        for _ in 0..<3 { job.inbox.push(StaleJob()) }
        for _ in 0..<2 { _ = job.inbox.pop() }
        return keep(job)
    }

    @Test func objectThatWasTakenOutOfARingIsNoLeak() async throws {
        let kept = Self.jobOutOfItsInbox()
        defer { Self.release(kept) }
        try await expectNoLeak(of: "StaleJob", live: 2)
    }

    @inline(never)
    private static func pageOutOfItsPile() -> UnsafeMutablePointer<Unmanaged<AnyObject>> {
        let page = StalePage()
        page.pile.withUnsafeMutablePointerToElements { places in
            places.initialize(to: page)
            _ = places.move()
        }
        return keep(page)
    }

    @Test func objectThatWasTakenOutOfABufferWhoseHeaderIsTheCapacityIsNoLeak() async throws {
        let kept = Self.pageOutOfItsPile()
        defer { Self.release(kept) }
        try await expectNoLeak(of: "StalePage", live: 1)
    }
}
#endif
