#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file of which parts are copied, each checked against the file's size.
///
/// The parts are copied instead of mapped, because a mapped file that shrinks kills the program at the next access.
struct ReadOnlyFile: ~Copyable {
    /// The size from which the available memory is checked before a part is read.
    private static let largePart: UInt64 = 64 << 10

    private let descriptor: CInt
    /// The file's size when it was opened.
    let size: UInt64
    let path: String

    /// Opens a regular file.
    init(path: String) throws(UnusableSymbols) {
        // `O_NONBLOCK`: opening a named pipe must not wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw UnusableSymbols(cannotOpen: path, error: errno)
        }
        var status = stat()
        let failure = fstat(descriptor, &status)
        guard failure == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size >= 0 else {
            close(descriptor)
            throw UnusableSymbols("'\(path)' is not a regular file.", hint: "Restore the loaded object at that path.")
        }
        self.descriptor = descriptor
        size = UInt64(status.st_size)
        self.path = path
    }

    deinit {
        close(descriptor)
    }

    /// Copies a part of the file, either all of it or nothing.
    ///
    /// - Parameter what: The name of the part, for the error.
    func bytes(at offset: UInt64, count: UInt64, of what: String) throws(UnusableSymbols) -> [UInt8] {
        guard offset <= size, count <= size - offset else {
            throw UnusableSymbols(
                "'\(path)': \(what) (\(count) bytes at \(offset)) extends past the end of the file (\(size) bytes).",
                hint: "The file is damaged; rebuild or reinstall it.")
        }
        // A small part needs no check, because the program makes such allocations all the time.
        guard count < Self.largePart || ProcessLimits.hasRoom(for: Int(count) * 2) else {
            throw UnusableSymbols(outOfMemoryFor: "\(what) of '\(path)' (\(count) bytes)")
        }
        var complete = true
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(count)) { buffer, filled in
            while filled < Int(count) {
                // The pointer stays inside `buffer`, which has room for `count` bytes.
                let rest = buffer.baseAddress.map { $0 + filled }
                let got = pread(descriptor, rest, Int(count) - filled, off_t(offset) + off_t(filled))
                if got > 0 {
                    filled += got
                } else if got == 0 || errno != EINTR {
                    complete = false
                    return
                }
            }
        }
        guard complete else {
            throw UnusableSymbols(
                "'\(path)': \(what) (\(count) bytes at \(offset)) cannot be read.",
                hint: "The file changed during the read.")
        }
        return bytes
    }
}

/// The reason why the symbols of a file are not used; names then come from `dladdr`, if at all.
struct UnusableSymbols: Error, CustomStringConvertible {
    let description: String
    /// Whether the process lacked a resource, so that the symbols may be usable later.
    let isTemporary: Bool

    init(_ message: String, hint: String) {
        description = "\(message) \(hint)"
        isTemporary = false
    }

    init(cannotOpen path: String, error: CInt) {
        isTemporary = ProcessLimits.isShortage(error)
        let hint = isTemporary ? ProcessLimits.reason(for: error) : "Let the program read the file."
        description = "'\(path)' cannot be opened (error \(error)). \(hint)"
    }

    init(outOfMemoryFor part: String) {
        isTemporary = true
        description = "Not enough memory for \(part). \(ProcessLimits.memory)"
    }
}
