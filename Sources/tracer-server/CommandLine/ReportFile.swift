#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file that is replaced atomically: a reader finds the old text or the new one, never a part.
enum ReportFile {
    /// Writes a text to a new file in the same directory and renames that file to the path.
    ///
    /// If the path is no regular file, such as a pipe or a terminal, the text is written to it directly. A symbolic
    /// link remains a link.
    ///
    /// - Throws: ``OutputFailure`` with the path and the system's message. The old file is then unchanged.
    static func write(_ text: String, to path: String) throws(OutputFailure) {
        let target = realPath(path) ?? path
        var status = stat()
        if stat(target, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            try write(text, into: target, opening: O_WRONLY | O_CLOEXEC, named: path)
            return
        }
        // In the target's directory, so that the file can be renamed to the target.
        let temporary = "\(target).\(getpid())-\(UInt32.random(in: 0 ... .max)).new"
        do throws(OutputFailure) {
            try write(
                text, into: temporary, opening: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, named: path, syncs: true)
            guard rename(temporary, target) == 0 else { throw OutputFailure(path, errno) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func write(
        _ text: String, into file: String, opening flags: Int32, named path: String, syncs: Bool = false
    ) throws(OutputFailure) {
        let descriptor = open(file, flags, 0o666)
        guard descriptor >= 0 else { throw OutputFailure(path, errno) }
        var error = StandardStreams.write(Array(text.utf8), to: descriptor)
        // Some file systems report a full disk only now.
        if error == 0, syncs, fsync(descriptor) != 0 { error = errno }
        if close(descriptor) != 0, error == 0 { error = errno }
        guard error == 0 else { throw OutputFailure(path, error) }
    }

    /// Returns the path without symbolic links; `nil` if the file does not exist.
    private static func realPath(_ path: String) -> String? {
        // `realpath` returns a copy that the caller must free.
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
