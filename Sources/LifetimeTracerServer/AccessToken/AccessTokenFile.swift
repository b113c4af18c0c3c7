import TracerBase

/// A file whose first line is an access token.
struct AccessTokenFile {
    let path: String

    /// Returns the first line, without surrounding white space.
    ///
    /// - Parameter warn: Receives a warning if other users may read the file.
    /// - Throws: ``ServerError`` that names the file and the problem.
    func read(_ warn: (String) -> Void) throws(ServerError) -> String {
        let file: OpenFile
        do throws(SystemError) {
            file = try OpenFile(path)
        } catch let failure {
            throw error("cannot be opened: \(failure)", "check the path, and that this user may read the file")
        }
        guard file.isRegular else { throw error("is not a regular file", "name a regular file") }
        let accessToken = Self.firstLine(of: try bytes(of: file))
        guard !accessToken.isEmpty else {
            throw error("has an empty first line", "write a token into the file: openssl rand -hex 16 > FILE")
        }
        if let objection = AccessToken.objection(toCharactersOf: accessToken) {
            throw error("cannot be used: \(objection.message)", objection.hint)
        }
        if file.permissions & 0o077 != 0 {
            let mode = String(file.permissions, radix: 8)
            warn(
                "the access token file \"\(path.printablePrefix)\" has mode \(mode): "
                    + "other users may read it; run chmod 600")
        }
        return accessToken
    }

    /// Enough for the longest first line, and to detect a longer one.
    private static let readLimit = AccessToken.maximumLength + 256

    private func bytes(of file: borrowing OpenFile) throws(ServerError) -> [UInt8] {
        do throws(SystemError) {
            return try file.bytes(atMost: Self.readLimit)
        } catch let failure {
            throw error("cannot be read: \(failure)", "check the disk, and try again")
        }
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
}
