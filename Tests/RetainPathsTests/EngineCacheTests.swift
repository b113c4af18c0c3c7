#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import ForkTesting
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The memory in which malloc keeps a thread's lists of free blocks.
@Suite(.disabledUnderSanitizers) struct EngineCacheTests {
    /// The size of malloc's struct; the block has at least one word more (tcache_perthread_struct, glibc 2.30).
    private static let size = 640

    /// The cache of the calling thread: the memory to which a thread-local variable refers, and that contains the
    /// address of a block that the thread has just freed.
    private static func ownCache() -> UnsafeMutableRawPointer? {
        let count = Int(rp_learn_process_facts().thread_local_size) / MemoryLayout<UInt>.stride
        // No block of this size is in the cache already, so malloc takes this one from the thread's arena.
        guard let freed = malloc(1_000) else { return nil }
        let address = UInt(bitPattern: freed)
        free(freed)
        // The static thread-local variables end where the thread's descriptor begins.
        guard let end = UnsafePointer<UInt>(bitPattern: pthread_self()) else { return nil }
        for word in 1...count {
            // Safe: `count` words below the descriptor are the thread's variables.
            let value = end[-word]
            // The cache is in the thread's arena of 64 MiB, to whose blocks the variables refer.
            guard value % 16 == 0, value >> 26 == address >> 26,
                let start = UnsafeMutableRawPointer(bitPattern: value), rp_usable_size(start) > Self.size
            else { continue }
            // Safe: the block is larger.
            let words = UnsafeRawBufferPointer(start: start, count: Self.size).bindMemory(to: UInt.self)
            if words.contains(address) { return start }
        }
        return nil
    }

    /// The rest of a cache's block contains what the former user of the memory has written there.
    @Test func staleWordBehindACacheHoldsNothing() async {
        await #expect(processExitsWith: .success) {
            let inverted = Engine.loseLeaf()
            let semaphore = SystemSemaphore()
            let waiter = Waiter("sem_wait") {
                guard let cache = Self.ownCache() else { return -1 }
                cache.storeBytes(of: ~inverted, toByteOffset: Self.size, as: UInt64.self)
                return semaphore.wait()
            }
            demand(waiter.waits() && waiter.result == nil, "the thread's cache was not found")
            let finding = try? await Engine.findings([inverted])[0]
            // A stale word on a stack may refer to the leaf, too.
            let isHeldByCache = finding?.steps.contains {
                if case .rootThreadLocal = $0.node { true } else { false }
            }
            demand(isHeldByCache == false, "\(String(describing: finding?.steps))")
            semaphore.signal()
            waiter.join()
        }
    }
}
#endif
