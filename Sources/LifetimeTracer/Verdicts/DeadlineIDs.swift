/// The deadlines of one instance: nearly always one, for which this type allocates nothing.
struct DeadlineIDs: Sendable {
    let first: DeadlineID
    private var others: [DeadlineID]?

    init(_ id: DeadlineID) { first = id }

    /// `nil` for an empty list.
    private init?(_ ids: some Collection<DeadlineID>) {
        guard let first = ids.first else { return nil }
        self.first = first
        others = ids.count == 1 ? nil : Array(ids.dropFirst())
    }

    /// The only deadline; `nil` if there are several.
    var only: DeadlineID? { others == nil ? first : nil }
    var all: [DeadlineID] { [first] + (others ?? []) }

    mutating func append(_ id: DeadlineID) {
        others = (others ?? []) + [id]
    }

    /// The list without a deadline; `nil` if no other is left.
    func without(_ id: DeadlineID) -> Self? {
        Self(all.filter { $0 != id })
    }
}
