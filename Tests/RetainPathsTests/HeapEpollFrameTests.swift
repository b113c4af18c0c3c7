#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

// No other test makes instances.
private final class EpollStray {}

/// The frame of the C library's `epoll_wait`, in which a thread may wait for a long time.
@Suite(.disabledUnderSanitizers) struct HeapEpollFrameTests {
    /// The number of the system call on x86-64.
    private static let epollWait: Int32 = 232

    @Test func staleWordInFrameIsNoReference() async throws {
        let (start, events) = (PipeEnds(), PipeEnds())
        let word = Locked(Inverse())
        // The thread has its stack before another thread makes the object, and so does not inherit stale words.
        let waiter = Waiter("epoll_wait") {
            guard start.read() == 1 else { return -1 }
            return waitForEvents(of: events, staleWord: word.withLock { $0 })
        }
        let lost = Engine.lose(EpollStray.init)
        word.withLock { $0.value = lost }
        start.write()
        #expect(waiter.waits(inCall: Self.epollWait))
        let graph = try await HeapGraph.capture(options: Engine.patient)
        events.write()
        waiter.join()
        #expect(waiter.result == 1 && graph.leaks.obstacle == nil)
        #expect(graph.leaks.all.count { $0.name == "EpollStray" } == 1)
    }
}

/// The inverse of an address.
private struct Inverse: LockedState {
    var value: UInt64 = 0
}

/// Functions of the C library, with an address as a number.
private struct SystemCalls: Sendable {
    typealias Create = @convention(c) (CInt) -> CInt
    typealias Control = @convention(c) (CInt, CInt, CInt, UnsafeMutableRawPointer) -> CInt
    typealias Wait = @convention(c) (CInt, UnsafeMutableRawPointer, CInt, CInt) -> CInt
    typealias Receive = @convention(c) (CInt, UInt, UInt64, CInt, UInt, UInt) -> Int

    let createEpoll: Create = function("epoll_create1")
    let control: Control = function("epoll_ctl")
    let wait: Wait = function("epoll_wait")
    let receive: Receive = function("recvfrom")

    private static func function<Function>(_ name: String) -> Function {
        guard let symbol = dlsym(nil, name) else { fatalError("the C library has no \(name)") }
        // Safe: the types above are those of the C library's functions, whose pointers are passed like numbers.
        return unsafeBitCast(symbol, to: Function.self)
    }
}

/// Returns the number whose inverse is given.
///
/// Only this function's frame, which is gone when it returns, contains it.
@inline(never)
private func revealed(_ inverse: Inverse) -> UInt64 { ~inverse.value }

/// Waits in `epoll_wait` until a pipe has data, and returns the number of events.
///
/// The frame of `epoll_wait` contains a stale word: in glibc 2.36, `recvfrom` stores its third argument where
/// `epoll_wait` writes nothing.
@inline(never)
private func waitForEvents(of pipe: PipeEnds, staleWord: Inverse) -> Int {
    let calls = SystemCalls()
    let epoll = calls.createEpoll(0)
    defer { close(epoll) }
    // struct epoll_event, which is packed on x86-64: 32 bits that say what happens, and 64 bits of the caller.
    let (canRead, add): (UInt64, CInt) = (1, 1)
    var event = (canRead, UInt64(0))
    precondition(calls.control(epoll, add, pipe.output, &event) == 0)
    return withUnsafeMutablePointer(to: &event) { list in
        let received = calls.receive(-1, 0, revealed(staleWord), 0, 0, 0)
        let count = calls.wait(epoll, list, 1, -1)
        precondition(received == -1)
        return Int(count)
    }
}
#endif
