import Glibc

/// Memory in use that contains malloc's mark of cached blocks.
///
/// malloc marks the blocks that it caches for a thread in their second word. When the thread ends, malloc moves the
/// blocks to the arena's fast bins, where the mark stays. The next thread of that arena gets a block with the mark.
enum MarkedMemory {
    /// Allocates a block with the mark, to be freed with `free`.
    static func allocate() -> UnsafeMutableRawPointer {
        // Few other blocks have this size.
        let size = 104
        runInThread {
            let blocks = (0..<4).map { _ in malloc(size) }
            for block in blocks { free(block) }
        }
        let found = Found()
        runInThread { found.block = malloc(size) }
        guard let block = found.block else { preconditionFailure("there is memory for a small block") }
        return block
    }

    /// `@unchecked Sendable` is safe because the second thread has ended before the block is read.
    private final class Found: @unchecked Sendable {
        var block: UnsafeMutableRawPointer?
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Runs a body in a new thread, and returns when that thread has ended.
    private static func runInThread(_ body: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        // The body is retained here for the new thread, which releases it.
        let failure = pthread_create(
            &thread, nil,
            { argument in
                // Safe: `argument` is the body that is retained below, and it is released here once.
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, Unmanaged.passRetained(Body(body)).toOpaque())
        precondition(failure == 0, "pthread_create: error \(failure)")
        pthread_join(thread, nil)
    }
}
