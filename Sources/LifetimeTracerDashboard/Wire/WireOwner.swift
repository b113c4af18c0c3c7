import LifetimeTracer

/// The wire type of the owner of an instance or a token.
struct WireOwner: JSONObject {
    private let owner: OwnerRecord

    init(_ owner: OwnerRecord) {
        self.owner = owner
    }

    static let fields = Field.list {
        Field("id") { $0.owner.id }
        Field("type") { $0.owner.type }
        Field("live") { $0.owner.isLive }
    }
}
