/// The data that one try of a check reads from a server.
struct CheckLook: Sendable {
    let summary: WireSummary
    /// The number of overdue instances, including known leaks.
    let overdue: Int
    /// The number of overdue instances that are known leaks, as far as searches have found out.
    let known: Int
    let overdueGroups: [WireOverdueGroup]
    let orphaned: Int
    let orphanedTokens: [WireToken]
    /// The groups of types.
    let groups: [WireTypeGroup]
    /// All types if a type or group is over budget or a limit names a type; otherwise empty.
    let types: [WireType]
    /// What is growing, fastest first.
    let growing: [WireGrowth]
    /// The number of live instances: the sum over ``types`` if there are any, else the count of the summary.
    let live: Int
    let crowds: [Crowd]
    let brokenInvariants: [WireInvariant]

    /// An event with too many tokens for one owner type.
    struct Crowd: Sendable {
        let event: String
        /// The owner type; `nil` for tokens without an owner.
        let ownerType: String?
        let inForce: Int
    }
}

/// The server to check.
struct CheckedServer: Sendable {
    let address: ServerAddress
    let transport: any APITransport

    /// The most instances that a check asks about by id.
    ///
    /// The server keeps each result, so instances of the same search need no further search.
    private static let questionsLimit = 100
    /// The most crowded events whose owner types a check requests.
    private static let crowdedEventsLimit = 100

    private var api: TracerAPI { TracerAPI(transport: transport) }

    /// Requests all data that the limits need.
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
        let types = needsAllTypes ? try await api.list("api/v1/types?sort=name", of: WireTypePage.self) : nil
        return CheckLook(
            summary: summary, overdue: overdue.first.overdue, known: overdue.first.known,
            overdueGroups: overdue.entries, orphaned: tokens.first.total, orphanedTokens: tokens.entries,
            groups: types?.first.groups ?? [], types: types?.entries ?? [],
            growing: summary.verdicts.growing > 0
                ? try await api.list("api/v1/growth", of: WireGrowthPage.self).entries : [],
            live: types.map { $0.entries.reduce(0) { $0 + $1.live } } ?? summary.instances.live,
            crowds: summary.verdicts.crowded > 0 ? try await crowds() : [],
            brokenInvariants: summary.verdicts.brokenInvariants > 0 ? try await brokenInvariants() : [])
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

    /// Makes the server search for the retain paths of overdue instances.
    ///
    /// One search covers many instances, so most questions are answered from the results of an earlier one.
    private func explain(_ groups: [WireOverdueGroup], _ options: CheckOptions) async throws(ClientFailure) {
        let unexplained = groups.flatMap(\.instances).filter { $0.state == "overdue" && $0.retainStatus == nil }
        for instance in unexplained.prefix(Self.questionsLimit) {
            // An instance that has died since the list was read is not a failure.
            _ = try await WhyQuestion(transport: transport, instance: instance.id).ask { _ in }
        }
    }
}
