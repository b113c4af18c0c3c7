import Foundation

/// The part of a server's API that several commands use.
struct TracerAPI: Sendable {
    let transport: any APITransport

    /// The supported version of the JSON.
    static let version = 1
    /// The most entries on a page.
    static let pageLimit = 500
    private static let pagesLimit = 1000

    /// Requests the summary.
    ///
    /// - Throws: ``ClientFailure``, also if the server uses another version of the JSON.
    func summary() async throws(ClientFailure) -> WireSummary {
        let path = "api/v1/summary"
        let reply = try await transport.get(path)
        let version = try reply.decoded(WireVersion.self, of: path).version
        guard version == Self.version else {
            throw .unusable(
                "the server uses version \(version) of the JSON, but this program supports only version "
                    + "\(Self.version); use the tracer-server program of the server's LifetimeTracer version")
        }
        return try reply.decoded(WireSummary.self, of: path)
    }

    /// Reads a list page by page.
    ///
    /// - Parameters:
    ///   - path: The path with an optional query, without `limit` and `after`.
    ///   - isEnough: Returns whether the entries so far suffice. By default the list is read to its end.
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
        throw .unusable("the list /\(path) does not end after \(Self.pagesLimit) pages")
    }

    /// Returns the text percent-encoded, as the value of a query parameter.
    static func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}
