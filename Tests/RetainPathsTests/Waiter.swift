#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Glibc
import LifetimeTracer
import Patience
import TracerBase

@testable import RetainPaths

/// A thread that makes one system call that waits, and notes what the call returned.
final class Waiter: Sendable {
    private struct State: LockedState {
        var thread: Int32 = 0
        var result: Int?
    }

    let name: String
    private let state: Locked<State>
    private let thread: SimpleThread

    init(_ name: String, _ wait: @escaping @Sendable () -> Int) {
        self.name = name
        let state = Locked(State())
        self.state = state
        thread = SimpleThread {
            state.withLock { $0.thread = rp_thread_number() }
            let result = wait()
            state.withLock { $0.result = result }
        }
    }

    /// What the call returned; `nil` while it waits.
    var result: Int? { state.withLock { $0.result } }

    /// How often the thread has begun to wait.
    var waitCount: Int? {
        let number = state.withLock { $0.thread }
        guard let status = try? OpenFile("/proc/self/task/\(number)/status").bytes(atMost: 4_096) else { return nil }
        let lines = String(decoding: status, as: UTF8.self).split(separator: "\n")
        return lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }.flatMap { Int($0.drop { !$0.isNumber }) }
    }

    /// Returns true as soon as the thread waits in the kernel, and false as soon as its call has returned.
    ///
    /// - Parameter call: The number of the system call in which the thread is to wait; `nil` for any.
    func waits(inCall call: Int32? = nil) -> Bool {
        let clock = ContinuousClock()
        let end = clock.now + Patience.limit
        while clock.now < end, result == nil {
            let number = state.withLock { $0.thread }
            let threads = try? ThreadStacks().threads
            let waiting = threads?.first { $0.id == number && $0.stack_pointer != 0 }
            if let waiting, call == nil || waiting.system_call == call { return true }
            usleep(500)
        }
        return false
    }

    func join() { thread.join() }
    func send(signal: CInt) { thread.send(signal: signal) }
}

/// The ends of a pipe.
struct PipeEnds: Sendable {
    let input: CInt
    let output: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        precondition(pipe(&ends) == 0)
        (output, input) = (ends[0], ends[1])
    }

    func write() {
        precondition(Glibc.write(input, "x", 1) == 1)
    }

    func read() -> Int {
        var byte: UInt8 = 0
        return Glibc.read(output, &byte, 1)
    }

    /// Polls the pipe for data, with a limit in milliseconds.
    func poll(limit: CInt) -> Int {
        var entry = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        return Int(Glibc.poll(&entry, 1, limit))
    }
}

/// A semaphore of the C library, whose wait a signal's handler ends.
final class SystemSemaphore: @unchecked Sendable {
    // `@unchecked Sendable` is safe because functions of the C library alone use the memory, from any thread.
    private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

    init() { sem_init(semaphore, 0, 0) }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    func wait() -> Int { Int(sem_wait(semaphore)) }
    func signal() { sem_post(semaphore) }
}
#endif
