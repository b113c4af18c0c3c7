#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Lets the starter of a thread wait until the thread runs, and until malloc has given it its arena.
///
/// glibc maps the memory of an arena, 64 MB of address space, when a thread allocates or frees its first block
/// (`tcache_init` and `arena_get2` in glibc's malloc). At that later time, the program might have no memory left.
///
/// `@unchecked Sendable` is safe because a semaphore is made for use by several threads, and the pointer is never
/// changed. The thread and its starter each hold the object, so the semaphore exists for as long as either uses it.
package final class ThreadArrival: @unchecked Sendable {
    #if canImport(Glibc)
    private let semaphore: UnsafeMutablePointer<sem_t>

    package init() {
        // The whole block of malloc, whose sizes are multiples of 16 bytes and 8 more. The C library writes only the
        // words that it uses. Addresses that an earlier block has left in the others would look like references, for as
        // long as the thread runs.
        let size = (MemoryLayout<sem_t>.stride + 7) / 16 * 16 + 8
        let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: MemoryLayout<sem_t>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        semaphore = memory.bindMemory(to: sem_t.self, capacity: 1)
        sem_init(semaphore, 0, 0)
    }

    deinit {
        sem_destroy(semaphore)
        semaphore.deallocate()
    }

    /// Called by the starter.
    package func wait() {
        // A signal that the thread does not block may end one wait.
        while sem_wait(semaphore) != 0 {}
    }

    /// Called by the thread, once.
    package func report() {
        free(malloc(1))
        sem_post(semaphore)
    }
    #else
    package init() {}
    package func wait() {}
    package func report() {}
    #endif
}
