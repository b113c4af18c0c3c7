#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The memory of the process, readable at any address: reading an unmapped address gives `nil` instead of a fault.
struct OwnMemory: ~Copyable {
    private let descriptor: CInt

    /// `nil` if the kernel does not allow the process to read its memory through `/proc`.
    init?() {
        descriptor = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Reads the word at an address; `nil` if the address is not mapped.
    borrowing func word(at address: UInt) -> UInt? {
        guard let offset = off_t(exactly: address) else { return nil }
        var word: UInt = 0
        let size = MemoryLayout<UInt>.size
        let got = withUnsafeMutableBytes(of: &word) { pread(descriptor, $0.baseAddress, size, offset) }
        return got == size ? word : nil
    }
}
