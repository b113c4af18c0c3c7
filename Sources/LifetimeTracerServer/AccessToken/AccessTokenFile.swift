import TracerText

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A file whose first line is an access token.
struct AccessTokenFile {
    let path: String

    /// Returns the first line, without surrounding white space.
    ///
    /// - Parameter warn: Receives a warning if other users may read the file.
    /// - Throws: ``ServerError`` that names the file and the problem.
    func read(_ warn: (String) -> Void) throws(ServerError) -> String {
        // `O_NONBLOCK`: opening a named pipe must not wait for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw error(
                "cannot be opened: \(Self.text(of: errno))", "check the path, and that this user may read the file")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw error("is not a regular file", "name a regular file")
        }
        let accessToken = Self.firstLine(of: try bytes(of: descriptor))
        guard !accessToken.isEmpty else {
            throw error("has an empty first line", "write a token into the file: openssl rand -hex 16 > FILE")
        }
        if let objection = AccessToken.objection(toCharactersOf: accessToken) {
            throw error("cannot be used: \(objection.message)", objection.hint)
        }
        if status.st_mode & (S_IRWXG | S_IRWXO) != 0 {
            let mode = String(status.st_mode & 0o7777, radix: 8)
            warn(
                "the access token file \"\(path.printablePrefix)\" has mode \(mode): other users may read it; run chmod 600"
            )
        }
        return accessToken
    }

    /// Enough for the longest first line, and to detect a longer one.
    private static let readLimit = AccessToken.maximumLength + 256

    private func bytes(of descriptor: Int32) throws(ServerError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.readLimit) { buffer, filled in
            while filled < Self.readLimit, let start = buffer.baseAddress {
                // The pointer stays inside `buffer`, which has room for `readLimit` bytes.
                let got = Self.readSome(descriptor, start + filled, Self.readLimit - filled)
                if got > 0 {
                    filled += got
                } else if got == 0 {
                    return
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else {
            throw error("cannot be read: \(Self.text(of: failure))", "check the disk, and try again")
        }
        return bytes
    }

    // The system function, which the method of this type hides.
    private static func readSome(_ descriptor: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        #if canImport(Darwin)
        Darwin.read(descriptor, buffer, count)
        #elseif canImport(Musl)
        Musl.read(descriptor, buffer, count)
        #else
        Glibc.read(descriptor, buffer, count)
        #endif
    }

    private static func firstLine(of bytes: [UInt8]) -> String {
        let blanks = Set(" \t\r".utf8)
        var line = bytes.prefix { $0 != UInt8(ascii: "\n") }
        while let first = line.first, blanks.contains(first) { line.removeFirst() }
        while let last = line.last, blanks.contains(last) { line.removeLast() }
        return String(decoding: line, as: UTF8.self)
    }

    private func error(_ problem: String, _ hint: String) -> ServerError {
        ServerError(.invalidAccessToken, "the access token file \"\(path.printablePrefix)\" \(problem)", hint: hint)
    }

    private static func text(of error: Int32) -> String {
        String(cString: strerror(error))
    }
}
