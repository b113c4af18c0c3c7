#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The frame of the C library's `epoll_wait`, in which a thread may wait for a long time.
@Suite(.disabledUnderSanitizers) struct HeapEpollFrameTests {
    /// The number of the system call on x86-64.
    private static let epollWait: Int32 = 232

    @Test func staleWordInFrameIsNoReference() async throws {
        let events = PipeEnds()
        // No other memory contains the word, inverted or not: an object's address could be in another thread's stack.
        let word = Inverse(value: ~(0x5EED_0000_0000_0000 | UInt64.random(in: 1..<1 << 32)))
        let waiter = Waiter("epoll_wait") { waitForEvents(of: events, staleWord: word) }
        #expect(waiter.waits(inCall: Self.epollWait))
        let answer = try await HeapAnswer.search(.carriedWords([word.value]), by: [], options: Engine.patient)
        events.write()
        waiter.join()
        #expect(waiter.result == 1)
        let finding = try #require(answer.findings.first)
        #expect(finding.status == .notFound && finding.steps.isEmpty, "\(finding)")
    }
}

/// The inverse of a word.
private struct Inverse: Sendable {
    let value: UInt64
}

/// Functions of the C library, with a pointer as a number.
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
