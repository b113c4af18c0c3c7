import LifetimeTracer

/// The wire type of the counts of all observer tokens.
struct WireTokenCounts: JSONObject {
    let tokens: TokenTotals

    static let fields = Field.list {
        Field("inForce") { $0.tokens.inForce }
        Field("registered") { $0.tokens.registered }
        Field("removed") { $0.tokens.removed }
        Field("refused") { $0.tokens.refused }
        Field("deliveries") { $0.tokens.deliveries }
        Field("byKind") { $0.tokens.byKind.map(WireTokenKindCounts.init) }
    }
}

/// The wire type of the counts of the observer tokens of one kind.
private struct WireTokenKindCounts: JSONObject {
    let count: TokenTotals.KindCount

    static let fields = Field.list {
        Field("kind") { $0.count.kind }
        Field("inForce") { $0.count.inForce }
        Field("registered") { $0.count.registered }
        Field("removed") { $0.count.removed }
    }
}
