/// The wire type of the counts of the tokens of one event.
struct WireEventTokens: JSONObject {
    let group: TokenGrouping.Group

    static let fields = Field.list {
        Field("event") { $0.group.name ?? "" }
        Field.all { WireTokenGroup(group: $0.group) }
    }
}

/// The wire type of the counts of the tokens of one owner type.
struct WireOwnerTypeTokens: JSONObject {
    let group: TokenGrouping.Group

    static let fields = Field.list {
        Field("ownerType") { $0.group.name }
        Field.all { WireTokenGroup(group: $0.group) }
    }
}

/// The fields that ``WireEventTokens`` and ``WireOwnerTypeTokens`` share.
private struct WireTokenGroup: JSONObject {
    let group: TokenGrouping.Group

    static let fields = Field.list {
        Field("kinds") { $0.group.kinds.sorted() }
        Field("inForce") { $0.group.inForce }
        Field("orphaned", as: .integer(0...)) { $0.group.orphaned }
        Field("registered") { $0.group.registered }
        Field("removed") { $0.group.removed }
        Field("refused") { $0.group.refused }
        Field("deliveries") { $0.group.deliveries }
        Field("crowded") { $0.group.isCrowded }
    }
}
