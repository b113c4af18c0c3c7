import TracerBase

/// The wire type of a page of observer tokens: one by one, or in groups.
enum WireTokenList: JSONDescribed {
    case each(Page<WireToken>)
    case byEvent(Page<TokenGrouping.Group>)
    case byOwnerType(Page<TokenGrouping.Group>)

    func write(to writer: inout JSONWriter) {
        switch self {
        case .each(let page): WireTokens(page: page).write(to: &writer)
        case .byEvent(let page): WireTokensByEvent(page: page.map(WireEventTokens.init)).write(to: &writer)
        case .byOwnerType(let page): WireTokensByOwnerType(page: page.map(WireOwnerTypeTokens.init)).write(to: &writer)
        }
    }

    static var schema: JSONSchema {
        .oneOf([WireTokens.schema, WireTokensByEvent.schema, WireTokensByOwnerType.schema])
    }
}

/// The wire type of a page of tokens in force.
private struct WireTokens: JSONObject {
    let page: Page<WireToken>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("tokens") { $0.page.entries }
    }
}

/// The wire type of a page of token counts by event.
private struct WireTokensByEvent: JSONObject {
    let page: Page<WireEventTokens>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("groupBy", as: .choice([TokenGrouping.Key.event.rawValue])) { _ in TokenGrouping.Key.event.rawValue }
        Field("groups") { $0.page.entries }
    }
}

/// The wire type of a page of token counts by owner type.
private struct WireTokensByOwnerType: JSONObject {
    let page: Page<WireOwnerTypeTokens>

    static let fields = Field.list {
        Field.page { $0.page }
        Field("groupBy", as: .choice([TokenGrouping.Key.ownerType.rawValue])) { _ in
            TokenGrouping.Key.ownerType.rawValue
        }
        Field("groups") { $0.page.entries }
    }
}
