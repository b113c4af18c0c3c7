import Foundation

/// The API of a server, as far as several commands use it.
struct TracerAPI: Sendable {
    let transport: any APITransport

    /// The version of the JSON that is understood.
    static let version = 1
    /// The most entries of a page.
    static let pageLimit = 500
    private static let pagesLimit = 1000

    /// Gets the summary.
    ///
    /// - Throws: ``ClientFailure`` also when the server speaks another version of the JSON.
    func summary() async throws(ClientFailure) -> WireSummary {
        let path = "api/v1/summary"
        let reply = try await transport.get(path)
        let version = try reply.decoded(WireVersion.self, of: path).version
        guard version == Self.version else {
            throw .unusable(
                "the server speaks version \(version) of the JSON, this program version \(Self.version): use its own")
        }
        return try reply.decoded(WireSummary.self, of: path)
    }

    /// Reads a list, page by page.
    ///
    /// - Parameters:
    ///   - path: The path, with a query or without, but for `limit` and `after`.
    ///   - isEnough: Says of the entries so far whether the rest is not needed; without it the list is read to its end.
    func list<Page: WirePage>(
        _ path: String, of type: Page.Type, pageLimit: Int = Self.pageLimit,
        until isEnough: ([Page.Entry]) -> Bool = { _ in false }
    ) async throws(ClientFailure) -> (first: Page, entries: [Page.Entry]) {
        var first: Page?
        var entries: [Page.Entry] = []
        var after: String?
        for _ in 0..<Self.pagesLimit {
            let sign = path.contains("?") ? "&" : "?"
            let position = after.map { "&after=\(Self.escaped($0))" } ?? ""
            let target = "\(path)\(sign)limit=\(pageLimit)\(position)"
            let page = try await transport.get(target).decoded(type, of: target)
            entries += page.entries
            first = first ?? page
            after = page.next
            if let first, after == nil || isEnough(entries) { return (first, entries) }
        }
        throw .unusable("/\(path) does not end after \(Self.pagesLimit) pages")
    }

    /// A text as the value of a query parameter.
    static func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}
