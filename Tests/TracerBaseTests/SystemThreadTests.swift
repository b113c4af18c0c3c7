import Glibc
import Synchronization
import Testing

@testable import TracerBase

/// Threads of the system.
@Suite struct SystemThreadTests {
    @Test func bodyRunsOnANamedThreadOfItsOwn() throws {
        let name = Mutex("")
        let starter = pthread_self()
        let isOther = Mutex(false)
        let thread = try SystemThread(named: "tracer-test") {
            let bytes = (try? OpenFile("/proc/thread-self/comm").bytes(atMost: 64)) ?? []
            name.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
            isOther.withLock { $0 = pthread_equal(pthread_self(), starter) == 0 }
        }
        thread.join()
        #expect(name.withLock { $0 } == "tracer-test\n")
        #expect(isOther.withLock { $0 })
    }

    @Test func bodyIsReleasedWhenItHasReturned() throws {
        final class Held: Sendable {}
        weak var held: Held?
        do {
            let object = Held()
            held = object
            try SystemThread(named: "tracer-test") { withExtendedLifetime(object) {} }.join()
        }
        #expect(held == nil)
    }

    /// Stale addresses in it would look like references, and hide leaks, for as long as a thread runs.
    @Test func memoryOfANewThreadContainsNoStaleWords() throws {
        let words = MemoryLayout<sem_t>.size / MemoryLayout<UInt>.size + 1
        let blocks = (0..<64).map { _ in UnsafeMutablePointer<UInt>.allocate(capacity: words) }
        for block in blocks {
            block.initialize(repeating: 0xAAAA, count: words)
            block.deallocate()
        }
        let arrival = ThreadArrival()
        let semaphore = try #require(
            Mirror(reflecting: arrival).descendant("semaphore") as? UnsafeMutablePointer<sem_t>)
        // Safe: malloc's block for a semaphore of 32 bytes has 40.
        let found = UnsafeRawBufferPointer(start: semaphore, count: words * MemoryLayout<UInt>.size)
        #expect(found.allSatisfy { $0 == 0 })
        withExtendedLifetime(arrival) {}
    }

    @Test(arguments: [SystemThread.Stack.standard, .modest]) func stackHasRoom(stack: SystemThread.Stack) throws {
        let sum = Mutex(0)
        try SystemThread(named: "tracer-test", stack: stack) { sum.withLock { $0 = descend(1000) } }.join()
        #expect(sum.withLock { $0 } == 500)
    }

    @Test func refusalNamesTheThreadTheErrorAndTheLimit() {
        let error = ThreadError(name: "tracer-x", error: SystemError(EAGAIN))
        #expect(
            error.description.hasPrefix(
                "the thread tracer-x cannot be started: Resource temporarily unavailable (errno 11). "))
        #expect(error.description.contains(ProcessLimits.threads))
    }

    @Test func refusalByAFilterOfSystemCallsNamesTheCalls() {
        let error = ThreadError(name: "tracer-x", error: SystemError(EPERM))
        #expect(
            error.description == """
                the thread tracer-x cannot be started: Operation not permitted (errno 1). Allow the system calls clone \
                and clone3; a filter (seccomp) of the container or of systemd refuses them.
                """)
    }
}

/// Calls itself, with more than a hundred bytes of stack for each level; returns the number of odd levels.
@inline(never) private func descend(_ levels: Int) -> Int {
    withUnsafeTemporaryAllocation(byteCount: 128, alignment: 8) { bytes in
        bytes[0] = UInt8(truncatingIfNeeded: levels)
        return levels == 0 ? 0 : descend(levels - 1) + Int(bytes[0] & 1)
    }
}
