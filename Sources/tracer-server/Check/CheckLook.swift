/// What a server says at one look, as far as the limits need it.
struct CheckLook: Sendable {
    let summary: WireSummary
    /// How many are overdue, known leaks among them.
    let overdue: Int
    /// How many of those are known leaks, as far as it has been searched who holds them.
    let known: Int
    let overdueGroups: [WireOverdueGroup]
    let orphaned: Int
    let orphanedTokens: [WireToken]
    /// The groups of types.
    let groups: [WireTypeGroup]
    /// All types, or where none is over its budget and no limit asks for one the growing ones first.
    let types: [WireType]
    let trendStepSeconds: Int
    /// How many instances are live: of the moment of ``types`` where those are all, else of the summary's.
    let live: Int
    let crowds: [Crowd]
    let brokenInvariants: [WireInvariant]

    /// An event with too many tokens for one owner type.
    struct Crowd: Sendable {
        let event: String
        /// `nil` for tokens without an owner.
        let ownerType: String?
        let inForce: Int
    }
}

/// The server that is checked.
struct CheckedServer: Sendable {
    let address: ServerAddress
    let transport: any APITransport

    /// The most instances that are asked for by id; each answer is kept, and those that it brings with it are quick.
    private static let questionsLimit = 100
    /// The most crowded events whose owner types are asked for.
    private static let crowdedEventsLimit = 100

    private var api: TracerAPI { TracerAPI(transport: transport) }

    /// Asks for everything that the limits need.
    func look(for options: CheckOptions) async throws(ClientFailure) -> CheckLook {
        let summary = try await api.summary()
        var overdue = try await api.list("api/v1/overdue", of: WireOverduePage.self)
        let limit = options.limits[.overdue] ?? .max
        if options.explains, overdue.first.overdue - overdue.first.known > limit {
            try await explain(overdue.entries, options)
            overdue = try await api.list("api/v1/overdue", of: WireOverduePage.self)
        }
        let tokens = try await api.list("api/v1/tokens?state=orphaned", of: WireTokenPage.self)
        let needsAllTypes = !options.maxLive.isEmpty || summary.verdicts.overBudget > 0
        let types = try await types(all: needsAllTypes)
        return CheckLook(
            summary: summary, overdue: overdue.first.overdue, known: overdue.first.known,
            overdueGroups: overdue.entries, orphaned: tokens.first.total, orphanedTokens: tokens.entries,
            groups: types.first.groups, types: types.entries, trendStepSeconds: types.first.trendStepSeconds,
            live: needsAllTypes ? types.entries.reduce(0) { $0 + $1.live } : summary.instances.live,
            crowds: summary.verdicts.crowded > 0 ? try await crowds() : [],
            brokenInvariants: summary.verdicts.brokenInvariants > 0 ? try await brokenInvariants() : [])
    }

    private func types(all: Bool) async throws(ClientFailure) -> (first: WireTypePage, entries: [WireType]) {
        guard !all else { return try await api.list("api/v1/types?sort=name", of: WireTypePage.self) }
        return try await api.list("api/v1/types?sort=growing", of: WireTypePage.self) { $0.last?.growing == false }
    }

    private func crowds() async throws(ClientFailure) -> [CheckLook.Crowd] {
        let events = try await api.list("api/v1/tokens?groupBy=event", of: WireTokenGroupPage.self).entries
        var crowds: [CheckLook.Crowd] = []
        for event in events.filter(\.crowded).prefix(Self.crowdedEventsLimit).compactMap(\.event) {
            let path = "api/v1/tokens?groupBy=ownerType&event=\(TracerAPI.escaped(event))"
            let owners = try await api.list(path, of: WireTokenGroupPage.self).entries
            crowds += owners.filter(\.crowded).map {
                CheckLook.Crowd(event: event, ownerType: $0.ownerType, inForce: $0.inForce)
            }
        }
        return crowds
    }

    private func brokenInvariants() async throws(ClientFailure) -> [WireInvariant] {
        try await api.list("api/v1/invariants?state=broken", of: WireInvariantPage.self).entries
    }

    /// Has the server search who holds overdue instances.
    ///
    /// It answers for many at once, so few questions do.
    private func explain(_ groups: [WireOverdueGroup], _ options: CheckOptions) async throws(ClientFailure) {
        let unexplained = groups.flatMap(\.instances).filter { $0.state == "overdue" && $0.retainStatus == nil }
        for instance in unexplained.prefix(Self.questionsLimit) {
            // One that has gone meanwhile is no failure.
            _ = try await WhyQuestion(transport: transport, instance: instance.id).ask { _ in }
        }
    }
}
