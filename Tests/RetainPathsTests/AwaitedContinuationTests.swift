#if os(Linux)
import Testing

@testable import RetainPaths

/// Finds the continuations that tasks await in the test process itself, also at addresses that are not mapped.
@Suite struct AwaitedContinuationTests {
    private func word(_ address: UInt) throws -> UInt? {
        guard let memory = OwnMemory() else { throw Missing() }
        return memory.word(at: address)
    }

    @Test func wordAtMappedAddressIsRead() throws {
        let pointer = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
        defer { pointer.deallocate() }
        pointer.pointee = 0x0123_4567_89AB_CDEF
        #expect(try word(UInt(bitPattern: pointer)) == 0x0123_4567_89AB_CDEF)
    }

    @Test func wordAtUnmappedAddressIsNil() throws {
        #expect(try word(0) == nil)
        #expect(try word(0x10) == nil)
        #expect(try word(.max) == nil)
        #expect(try word(0x8000_0000_0000) == nil)
    }

    @Test func nonTaskAddressHasNoAwaitedContinuation() {
        #expect(AwaitedContinuation.functions(of: 0).isEmpty)
        #expect(AwaitedContinuation.functions(of: .max).isEmpty)
        let object = SomeObject()
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        #expect(AwaitedContinuation.functions(of: address).isEmpty)
        withExtendedLifetime(object) {}
    }
}

/// An object with words at the offsets where a task has its resume function and its frame.
private final class SomeObject {
    let words: (UInt, UInt, UInt, UInt, UInt, UInt, UInt, UInt) = (1, 2, 3, 4, 5, 6, 7, 8)
}
#endif
