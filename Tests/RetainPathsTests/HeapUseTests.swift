#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Dispatch
import ForkTesting
import Foundation
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

// The types of the objects in use. No other test makes instances of them.

/// An object that is part of a cycle, so that only a root tells it from a leak.
private final class UsedNode: @unchecked Sendable {
    // `@unchecked Sendable` is safe because the tests only hold the objects.
    var next: UsedNode?
    let number: Int

    init(_ number: Int) { self.number = number }

    /// A cycle of two nodes.
    static func cycle(_ number: Int) -> UsedNode {
        let first = UsedNode(number)
        let second = UsedNode(number)
        first.next = second
        second.next = first
        return first
    }
}

private struct UsedTable: LockedState {
    var nodes: [String: UsedNode] = [:]
}

/// Memory that holds nodes, as addresses, because pointers are not sendable.
private struct UsedMemory: LockedState {
    var table: UInt = 0
    var mapping: UInt = 0
}

private func work(_ body: () -> Void) { body() }

/// Objects in use are not called leaks, whoever holds them.
@Suite(.disabledUnderSanitizers) struct HeapUseTests {
    /// The demand that no node is among the leaks.
    private static func demandNone(_ holder: String) async {
        for _ in 0..<3 {
            guard let graph = try? await HeapGraph.capture(options: Engine.patient) else {
                demand(false, "there is no capture")
                return
            }
            demand(graph.leaks.obstacle == nil)
            let ofTracer = graph.leaks.all.filter { $0.type.contains("RetainPaths.") }
            demand(ofTracer.isEmpty, "\(ofTracer.map { $0.text(full: true) })")
            let found = graph.leaks.all.filter { $0.name == "UsedNode" }
            demand(found.isEmpty, "\(holder): \(found.map { $0.text(full: true) })")
            demand(graph.leaks.cycles.isEmpty, "\(holder): \(graph.leaks.cycles.map { $0.text(full: true) })")
        }
    }

    // Each test runs in its own process, so that other tests neither plant leaks nor change the heap meanwhile.

    @Test func staticVariablesAndTheAskingTaskHold() async {
        await #expect(processExitsWith: .success) {
            Self.table.withLock { $0.nodes["one"] = UsedNode.cycle(1) }
            let mine = UsedNode.cycle(2)
            await Self.demandNone("static variable and task")
            withExtendedLifetime(mine) {}
        }
    }

    @Test func breadcrumbsOfLongStringsAreInUse() async {
        await #expect(processExitsWith: .success) {
            // A string has breadcrumbs as soon as a position far inside is asked for by its UTF-16 offset.
            let texts = (0..<20).map { String(repeating: "ä\($0)", count: 500) }
            let lengths = texts.map { $0.utf16.distance(from: $0.startIndex, to: $0.endIndex) }
            demand(lengths.count == 20)
            guard let graph = try? await HeapGraph.capture(options: Engine.patient) else {
                demand(false, "there is no capture")
                return
            }
            let crumbs = graph.leaks.all.filter { $0.name.contains("Breadcrumbs") }
            demand(crumbs.isEmpty, "\(crumbs.map { $0.text(full: true) })")
            demand(graph.lines.contains { $0.name.contains("Breadcrumbs") && $0.count >= 20 })
            withExtendedLifetime(texts) {}
        }
    }

    @Test func textsOfURLsAreInUse() async {
        await #expect(processExitsWith: .success) {
            // The bundle makes the objects of its paths and URLs with functions of Core Foundation.
            let url = Bundle.main.bundleURL
            guard let graph = try? await HeapGraph.capture(options: Engine.patient) else {
                demand(false, "there is no capture")
                return
            }
            let texts = graph.leaks.all.filter { $0.name == "_NSCFString" }
            demand(texts.isEmpty, "\(texts.map { $0.text(full: true) })")
            demand(graph.lines.contains { $0.name == "_NSCFString" && $0.count > 1 })
            demand(url.isFileURL)
        }
    }

    @Test func waitingThreadHolds() async {
        await #expect(processExitsWith: .success) {
            let isReady = DispatchSemaphore(value: 0)
            let isOver = DispatchSemaphore(value: 0)
            let thread = SimpleThread {
                Self.hold(Self.many) {
                    isReady.signal()
                    isOver.wait()
                }
            }
            await Self.wait(for: isReady)
            await Self.demandNone("stack of a waiting thread")
            isOver.signal()
            thread.join()
        }
    }

    @Test func runningThreadHolds() async {
        await #expect(processExitsWith: .success) {
            let isReady = DispatchSemaphore(value: 0)
            let isOver = Locked(false)
            let thread = SimpleThread {
                Self.hold(Self.many) {
                    isReady.signal()
                    while !isOver.withLock({ $0 }) {}
                }
            }
            await Self.wait(for: isReady)
            await Self.demandNone("stack of a running thread")
            isOver.withLock { $0 = true }
            thread.join()
        }
    }

    @Test func threadLocalVariableHolds() async {
        await #expect(processExitsWith: .success) {
            let isReady = DispatchSemaphore(value: 0)
            let isOver = DispatchSemaphore(value: 0)
            let thread = SimpleThread {
                var key = pthread_key_t()
                pthread_key_create(&key, nil)
                pthread_setspecific(key, Unmanaged.passRetained(UsedNode.cycle(7)).toOpaque())
                isReady.signal()
                isOver.wait()
            }
            await Self.wait(for: isReady)
            await Self.demandNone("thread-local variable")
            isOver.signal()
            thread.join()
        }
    }

    @Test func timerAndQueueHold() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "use")
            let timer = DispatchSource.makeTimerSource(queue: queue)
            timer.setEventHandler(handler: Self.closure(8))
            timer.schedule(deadline: .now() + 600)
            timer.activate()
            for number in 0..<Self.many {
                queue.asyncAfter(deadline: .now() + 600, execute: Self.closure(number))
            }
            let suspended = DispatchQueue(label: "suspended")
            suspended.suspend()
            suspended.async(execute: Self.closure(10))
            await Self.demandNone("timer and queue")
            withExtendedLifetime(timer) {}
            suspended.resume()
        }
    }

    @Test func tasksHold() async {
        await #expect(processExitsWith: .success) {
            let (stream, continuation) = AsyncStream.makeStream(of: UsedNode.self)
            let tasks = (0..<Self.many).map { number in
                Task {
                    let node = UsedNode.cycle(number)
                    if number % 2 == 0 {
                        try? await Task.sleep(for: .seconds(600))
                    } else {
                        for await next in stream where next.number < 0 { break }
                    }
                    withExtendedLifetime(node) {}
                }
            }
            // Nothing but the runtime knows these tasks.
            for number in 0..<Self.many {
                Task {
                    let node = UsedNode.cycle(number)
                    await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
                    withExtendedLifetime(node) {}
                }
            }
            await Self.demandNone("tasks")
            withExtendedLifetime((tasks, continuation)) {}
        }
    }

    @Test func memoryOfCHolds() async {
        await #expect(processExitsWith: .success) {
            let table = UnsafeMutablePointer<UsedNode>.allocate(capacity: 4)
            table.initialize(repeating: UsedNode.cycle(14), count: 4)
            let mapping = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
            for number in 0..<Self.many {
                let node = Unmanaged.passRetained(UsedNode.cycle(number)).toOpaque()
                mapping?.storeBytes(of: node, toByteOffset: number * 8, as: UnsafeRawPointer.self)
            }
            Self.memory.withLock { $0 = UsedMemory(table: UInt(bitPattern: table), mapping: UInt(bitPattern: mapping)) }
            await Self.demandNone("memory of C")
        }
    }

    private static let table = Locked(UsedTable())
    private static let memory = Locked(UsedMemory())

    /// Threads make cycles, use them, and break them all the time.
    @Test func churningProgramHasNoLeaks() async {
        await #expect(processExitsWith: .success) {
            let isOver = Locked(false)
            let threads = (0..<3).map { seed in
                SimpleThread {
                    var ring: [UsedNode] = []
                    var number = seed
                    while !isOver.withLock({ $0 }) {
                        number += 1
                        let node = UsedNode.cycle(number)
                        ring.append(node)
                        if ring.count > 500 {
                            for node in ring[..<100] { node.next = nil }
                            ring.removeFirst(100)
                        }
                        let other = UsedNode.cycle(number)
                        work { other.next?.next = nil }
                    }
                    for node in ring { node.next = nil }
                }
            }
            // Several captures; HEAP_CAPTURES asks for more.
            let captures = getenv("HEAP_CAPTURES").flatMap { Int(String(cString: $0)) } ?? 10
            for _ in 0..<captures {
                guard let graph = try? await HeapGraph.capture(options: Engine.patient) else {
                    demand(false, "there is no capture")
                    return
                }
                demand(graph.leaks.obstacle == nil)
                demand(graph.leaks.cycles.isEmpty, "\(graph.leaks.cycles.map { $0.text(full: true) })")
            }
            isOver.withLock { $0 = true }
            for thread in threads { thread.join() }
        }
    }

    /// The number of cycles that a test plants.
    ///
    /// A single cycle might be held by a stale word in unused memory, so that the test could not fail.
    private static let many = 100

    /// Holds cycles in the variables of nested calls while a closure runs.
    @inline(never)
    private static func hold(_ count: Int, _ body: () -> Void) {
        guard count > 0 else { return body() }
        let node = UsedNode.cycle(count)
        hold(count - 1, body)
        withExtendedLifetime(node) {}
    }

    private static func closure(_ number: Int) -> @Sendable @convention(block) () -> Void {
        let node = UsedNode.cycle(number)
        return { withExtendedLifetime(node) {} }
    }

    /// Waits on a thread of its own, so that no thread of Swift's concurrency blocks.
    private static func wait(for semaphore: DispatchSemaphore) async {
        await withCheckedContinuation { continuation in
            _ = SimpleThread {
                semaphore.wait()
                continuation.resume()
            }
        }
    }
}
#endif
