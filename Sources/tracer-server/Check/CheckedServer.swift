import Foundation

/// The server that is checked, as far as a check asks it.
struct CheckedServer: Sendable {
    /// The facts of one look.
    struct Look: Sendable {
        let summary: WireSummary
        /// How many are overdue, known leaks among them.
        let overdue: Int
        /// How many of those are known leaks, as far as it has been searched who holds them.
        let known: Int
        let overdueGroups: [WireOverdueGroup]
        let orphaned: Int
        let orphanedTokens: [WireToken]
        /// Empty when nobody asked for types.
        let types: [WireType]
        /// How many instances are live: of the moment of ``types`` where those were asked for, else of the summary's.
        let live: Int
    }

    let transport: any APITransport

    /// The version of the JSON that is understood.
    static let version = 1
    /// The most entries that are read of a list.
    private static let pageLimit = 500
    private static let pagesLimit = 1000
    /// The most instances that are asked for by name; each answer is kept, and those that it brings with it are quick.
    private static let questionsLimit = 100

    /// Asks for everything that the limits need.
    func look(for options: CheckOptions) async throws(CheckFailure) -> Look {
        let reply = try await checkVersion()
        let summary = try reply.decoded(WireSummary.self, of: "api/v1/summary")
        var overdue = try await list("api/v1/overdue", of: WireOverduePage.self)
        if options.explains, overdue.first.overdue - overdue.first.known > options.maxOverdue {
            try await explain(overdue.entries, of: options.target)
            overdue = try await list("api/v1/overdue", of: WireOverduePage.self)
        }
        let tokens = try await list("api/v1/tokens?state=orphaned", of: WireTokenPage.self)
        let withTypes = !options.maxLive.isEmpty
        let types = withTypes ? try await list("api/v1/types?sort=name", of: WireTypePage.self).entries : []
        let live = withTypes ? types.reduce(0) { $0 + $1.live } : summary.instances.live
        return Look(
            summary: summary, overdue: overdue.first.overdue, known: overdue.first.known,
            overdueGroups: overdue.entries,
            orphaned: tokens.first.total, orphanedTokens: tokens.entries, types: types, live: live)
    }

    /// Gets the summary, and throws unless it is of the version that is understood.
    @discardableResult
    func checkVersion() async throws(CheckFailure) -> APIReply {
        let reply = try await transport.get("api/v1/summary")
        let version = try reply.decoded(WireVersion.self, of: "api/v1/summary").version
        guard version == Self.version else {
            throw .unusable(
                "the server speaks version \(version) of the JSON, this program version \(Self.version): use its own")
        }
        return reply
    }

    /// Has the server search who holds what is overdue.
    ///
    /// It answers for many at once, so few questions do.
    private func explain(_ groups: [WireOverdueGroup], of target: CheckTarget) async throws(CheckFailure) {
        let unexplained = groups.flatMap(\.instances).filter { $0.state == "overdue" && $0.retainStatus == nil }
        for instance in unexplained.prefix(Self.questionsLimit) {
            // One that has gone meanwhile is no failure.
            let options = WhyOptions(target: target, instance: instance.id)
            _ = try await WhyQuestion(transport: transport, options: options).ask { _ in }
        }
    }

    /// Reads a list to its end.
    private func list<Page: WirePage>(
        _ path: String, of type: Page.Type
    ) async throws(CheckFailure) -> (first: Page, entries: [Page.Entry]) {
        var first: Page?
        var entries: [Page.Entry] = []
        var after: String?
        for _ in 0..<Self.pagesLimit {
            let sign = path.contains("?") ? "&" : "?"
            let position = after.map { "&after=\(Self.escaped($0))" } ?? ""
            let target = "\(path)\(sign)limit=\(Self.pageLimit)\(position)"
            let page = try await transport.get(target).decoded(type, of: target)
            entries += page.entries
            first = first ?? page
            after = page.next
            if let first, after == nil { return (first, entries) }
        }
        throw .unusable("/\(path) does not end after \(Self.pagesLimit) pages")
    }

    private static func escaped(_ text: String) -> String {
        let plain = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? text
    }
}
