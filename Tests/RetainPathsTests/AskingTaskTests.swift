#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import Testing

@testable import RetainPaths

@Suite struct AskingTaskTests {
    private static let size = 208

    /// The memory of frames after those of the caller, from the first to the last.
    private func withFrames(_ body: (UnsafeMutableRawBufferPointer) -> Void) {
        let frames = (0..<8).compactMap { _ in rp_allocate_frame(Self.size) }
        for frame in frames { body(UnsafeMutableRawBufferPointer(start: frame, count: Self.size)) }
        for frame in frames.reversed() { rp_free_frame(frame) }
    }

    @Test func unusedFramesOfTheTaskAreCleared() async {
        await Task.detached {
            withFrames { $0.copyBytes(from: repeatElement(UInt8(0xAB), count: Self.size)) }
            AskingTask.clearUnusedFrames()
            var left = 0
            withFrames { frame in left += frame.count { $0 == 0xAB } }
            // Of each block of the task's memory, less than one of the cleared pieces may be left.
            #expect(left < 8 * 64)
            #expect(left.isMultiple(of: 8))
        }.value
    }
}
#endif
