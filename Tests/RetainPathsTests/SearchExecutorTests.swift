#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The tasks that await searches for the dashboard and for tests.
@Suite(.disabledUnderSanitizers) struct SearchExecutorTests {
    /// Fills memory; other memory does not contain this word.
    private static let word: UInt64 = 0xCDCD_CDCD_CDCD_CDCD

    @Test func memoryOfATaskIsCleared() async throws {
        let left = Locked<Int?>(nil)
        // The blocks are freed on the thread that makes the task.
        try await Task.detached {
            Self.fillFreeBlocks()
            return try SearchExecutor.shared.detach {
                // Safe: the task is running, so its block is not freed, and the words are only compared.
                let task = AskingTask.current.flatMap { UnsafeMutableRawPointer(bitPattern: UInt(~$0.inverted)) }
                left.withLock { $0 = task.map { Self.filledWords(in: $0, rp_usable_size($0)) } }
            }
        }.value.value
        #expect(left.withLock { $0 } == 0)
    }

    @Test func framesOfATaskAreCleared() async throws {
        let left = Locked<Int?>(nil)
        let hold = try SearchExecutor.shared.hold()
        // As long as the hold exists, one thread runs both tasks.
        await Task.detached(executorPreference: SearchExecutor.shared) { Self.fillFreeBlocks() }.value
        try await SearchExecutor.shared.detach {
            let size = 208
            let frames = (0..<8).compactMap { _ in rp_allocate_frame(size) }
            let words = frames.map { Self.filledWords(in: $0, size) }.reduce(0, +)
            for frame in frames.reversed() { rp_free_frame(frame) }
            left.withLock { $0 = words }
        }.value
        #expect(left.withLock { $0 } == 0)
        withExtendedLifetime(hold) {}
    }

    /// Fills the free blocks that this thread gets next for tasks and their frames.
    ///
    /// There are more blocks of each size than fit in malloc's cache of the thread, and malloc refills the cache.
    private static func fillFreeBlocks() {
        let sizes = Array(stride(from: 264, through: 392, by: 16)) + [1016]
        var separators: [UnsafeMutableRawPointer] = []
        let blocks = sizes.flatMap { size in
            (0..<32).map { _ in
                let block = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 16)
                _ = block.initializeMemory(as: UInt64.self, repeating: word)
                // Without a small block between them, malloc would join the free blocks.
                separators.append(.allocate(byteCount: 24, alignment: 16))
                return block
            }
        }
        for block in blocks { block.deallocate() }
        for separator in separators { separator.deallocate() }
    }

    private static func filledWords(in memory: UnsafeMutableRawPointer, _ size: Int) -> Int {
        UnsafeMutableRawBufferPointer(start: memory, count: size).bindMemory(to: UInt64.self).count { $0 == word }
    }
}
#endif
