#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Foundation
import LifetimeTracer
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
            pile.withUnsafeMutablePointerToElements { memset($0, 0, 4 * MemoryLayout<UInt>.size) }
            return 4
        }, to: StalePile.self)
}

/// Bytes that look like references, but were left behind, make no live object a leak.
@Suite(.disabledUnderSanitizers) struct HeapStaleReferenceTests {
    /// Expects a number of live instances of a class, and no leak of the class.
    private func expectNoLeak(of name: String, live: Int) async throws {
        let graph = try await HeapGraph.capture(options: Engine.patient)
        #expect(graph.lines(named: name, kind: .instance).first?.count == live)
        let leaks = graph.leaks.all.filter { $0.name == name }
        #expect(leaks.isEmpty, "\(leaks)")
    }

    /// While an array makes room for elements, the room contains copies of others.
    @Test func objectWithAnArrayThatIsBeingChangedIsNoLeak() async throws {
        let (isInside, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        Thread.detachNewThread {
            let document = StaleDocument()
            document.lines.reserveCapacity(64)
            for _ in 0..<20 { document.lines.append(StaleLine(document: document)) }
            var isFirst = true
            document.insert {
                guard isFirst else { return }
                isFirst = false
                isInside.signal()
                mayGoOn.wait()
            }
            document.lines = []
        }
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                isInside.wait()
                continuation.resume()
            }
        }
        defer { mayGoOn.signal() }
        try await expectNoLeak(of: "StaleDocument", live: 1)
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
