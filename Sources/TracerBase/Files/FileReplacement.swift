#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Replaces files atomically: a reader finds the old content or the new one, never a part.
package enum FileReplacement {
    /// Writes bytes to a new file in the same directory and renames that file to the path.
    ///
    /// If the path is no regular file, such as a pipe or a terminal, the bytes are written to it directly. A symbolic
    /// link remains a link; if the file behind it does not exist, that file is created in place. Blocks the calling
    /// thread.
    ///
    /// - Throws: The system's error. An old file is then unchanged.
    package static func write(_ bytes: [UInt8], to path: String) throws(SystemError) {
        let target = pathWithoutLinks(path) ?? path
        var status = stat()
        if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            try write(bytes, into: target, opening: O_WRONLY | O_CLOEXEC)
            return
        }
        if lstat(target, &status) == 0, status.st_mode & S_IFMT == S_IFLNK {
            try write(bytes, into: target, opening: O_WRONLY | O_CREAT | O_CLOEXEC, syncs: true)
            return
        }
        // In the target's directory, so that the file can be renamed to the target.
        let temporary = "\(target).\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
        do throws(SystemError) {
            try write(bytes, into: temporary, opening: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, syncs: true)
            guard rename(temporary, target) == 0 else { throw .last }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    /// Why a later ``write(_:to:)`` would probably fail; `nil` if nothing speaks against it.
    ///
    /// Changes nothing. The folder and the permissions may change before the bytes are written.
    package static func obstacle(to path: String) -> SystemError? {
        let target = pathWithoutLinks(path) ?? path
        var status = stat()
        if stat(target, &status) == 0 {
            if status.st_mode & S_IFMT == S_IFDIR { return SystemError(EISDIR) }
            if status.st_mode & S_IFMT != S_IFREG { return access(target, W_OK) == 0 ? nil : .last }
        }
        let folder = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
        return access(folder, W_OK | X_OK) == 0 ? nil : .last
    }

    private static func write(
        _ bytes: [UInt8], into file: String, opening flags: CInt, syncs: Bool = false
    ) throws(SystemError) {
        let descriptor = open(file, flags, 0o666)
        guard descriptor >= 0 else { throw .last }
        var failure: SystemError?
        do throws(SystemError) {
            try DescriptorWriting.write(bytes, to: descriptor)
            // Some file systems report a full disk only now.
            if syncs, fsync(descriptor) != 0 { failure = .last }
        } catch {
            failure = error
        }
        if close(descriptor) != 0 { failure = failure ?? .last }
        if let failure { throw failure }
    }

    /// Returns the path without symbolic links; `nil` if the file does not exist.
    private static func pathWithoutLinks(_ path: String) -> String? {
        // `realpath` returns a copy that the caller must free.
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
