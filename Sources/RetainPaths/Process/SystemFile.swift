import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file in which the kernel describes the process.
///
/// It is read as a whole.
enum SystemFile {
    /// The file's first bytes, up to a limit; `nil` if the file cannot be read.
    static func read(_ path: String, atMost limit: Int = 4096) -> [UInt8]? {
        (try? readIfThere(path, atMost: limit)) ?? nil
    }

    /// The file's first bytes, up to a limit; `nil` if the file does not exist or may not be read.
    ///
    /// - Throws: ``RetainPathsError`` if the process has run out of descriptors or memory.
    static func readIfThere(_ path: String, atMost limit: Int = 4096) throws(RetainPathsError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard ProcessLimits.isShortage(errno) else { return nil }
            throw .failed(reason: "'\(path)' cannot be opened. \(ProcessLimits.reason(for: errno))")
        }
        defer { close(descriptor) }
        var isComplete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
            while filled < limit {
                // Safe: the pointer stays inside `buffer`, which has room for `limit` bytes.
                let got = systemRead(descriptor, buffer.baseAddress.map { $0 + filled }, limit - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    isComplete = got == 0
                    return
                }
            }
        }
        return isComplete || !bytes.isEmpty ? bytes : nil
    }

    private static func systemRead(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        #if canImport(Darwin)
        Darwin.read(descriptor, buffer, count)
        #elseif canImport(Musl)
        Musl.read(descriptor, buffer, count)
        #else
        Glibc.read(descriptor, buffer, count)
        #endif
    }
}
