#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Testing

@testable import RetainPaths

@Suite struct AskingTaskTests {
    private static let size = 208
    /// Fills frames; other memory contains single bytes of this word by chance, but not all.
    private static let word: UInt64 = 0xABAB_ABAB_ABAB_ABAB

    /// The memory of frames after those of the caller, from the first to the last.
    private func withFrames(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        let frames = (0..<8).compactMap { _ in rp_allocate_frame(Self.size) }
        for frame in frames { body(UnsafeMutableRawBufferPointer(start: frame, count: Self.size)) }
        for frame in frames.reversed() { rp_free_frame(frame) }
    }

    @Test func unusedFramesOfTheTaskAreCleared() async {
        await Task.detached {
            withFrames { _ = $0.initializeMemory(as: UInt64.self, repeating: Self.word) }
            AskingTask.clearUnusedFrames()
            var left = 0
            withFrames { frame in left += frame.bindMemory(to: UInt64.self).count { $0 == Self.word } }
            #expect(left == 0)
        }.value
    }
}
#endif
