/// The head of an HTTP/1 response.
struct HTTPReplyHead: Sendable {
    let status: Int
    /// The length of the body; `nil` if the end of the connection ends the body.
    let contentLength: Int?
    /// The target of a redirect.
    let location: String?
    /// The length of the head, including the empty line.
    let byteCount: Int

    /// The longest accepted head, in bytes.
    private static let limit = 64 * 1024
    /// The likely cause of an unexpected response, for error messages.
    private static let suspicion = "another program may be listening at this address"

    /// Parses the head; `nil` while it is incomplete.
    ///
    /// - Throws: An error if the bytes are not HTTP, or if the body is too long or chunked.
    init?(in bytes: [UInt8]) throws(SocketConnection.Failure) {
        guard Self.mayBeHTTP(bytes) else { throw .unusable("did not send an HTTP response; \(Self.suspicion)") }
        guard let end = Self.end(of: bytes) else {
            guard bytes.count <= Self.limit else {
                throw .unusable("sent more than \(Self.limit) bytes of HTTP header fields; \(Self.suspicion)")
            }
            return nil
        }
        byteCount = end
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(
            omittingEmptySubsequences: true, whereSeparator: \.isNewline)
        let words = lines.first?.split(separator: " ") ?? []
        guard words.count >= 2, words[1].utf8.count == 3, let status = Arguments.count(in: String(words[1])) else {
            throw .unusable("did not send an HTTP response; \(Self.suspicion)")
        }
        self.status = status
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = String(parts[1].drop { $0 == " " || $0 == "\t" })
        }
        guard fields["transfer-encoding"] == nil else {
            throw .unusable("sent a chunked response instead of one with a Content-Length; \(Self.suspicion)")
        }
        location = fields["location"]
        guard let text = fields["content-length"] else {
            contentLength = status == 204 || status == 304 ? 0 : nil
            return
        }
        guard let length = Arguments.count(in: text), length <= SocketConnection.answerLimit else {
            throw .unusable("sent an invalid or excessive Content-Length of \(text) bytes; \(Self.suspicion)")
        }
        contentLength = length
    }

    private static func mayBeHTTP(_ bytes: [UInt8]) -> Bool {
        let start = Array("HTTP/1.".utf8)
        return bytes.prefix(start.count).elementsEqual(start.prefix(bytes.count))
    }

    /// Returns the position behind the first empty line.
    private static func end(of bytes: [UInt8]) -> Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard bytes.count >= mark.count else { return nil }
        return (mark.count...min(bytes.count, limit + mark.count)).first { end in
            bytes[end - 1] == mark[3] && bytes[(end - mark.count)..<end].elementsEqual(mark)
        }
    }
}
