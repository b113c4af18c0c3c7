#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The memory of the process, to be read where it may be no memory at all: a wrong address gives `nil`, not a fault.
struct OwnMemory: ~Copyable {
    private let descriptor: CInt

    /// `nil` where the kernel does not let the process read it this way.
    init?() {
        descriptor = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// The word at an address.
    borrowing func word(at address: UInt) -> UInt? {
        guard let offset = off_t(exactly: address) else { return nil }
        var word: UInt = 0
        let size = MemoryLayout<UInt>.size
        let got = withUnsafeMutableBytes(of: &word) { pread(descriptor, $0.baseAddress, size, offset) }
        return got == size ? word : nil
    }
}
