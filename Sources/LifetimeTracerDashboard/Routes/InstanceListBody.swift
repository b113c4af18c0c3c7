import LifetimeTracer

/// The body of a request that names several instances: `{"ids":[17,18]}` and nothing else.
struct InstanceListBody: Sendable {
    /// The schema of the body.
    static let schema = JSONSchema.object([
        JSONSchema.Property("ids", .array(of: InstanceID.schema, count: 1...RetainSearches.jobLimit))
    ]).named("InstanceIDs")

    /// The ids without duplicates, in the order of their first occurrence.
    let ids: [InstanceID]

    /// Parses a body.
    ///
    /// - Throws: ``RequestError`` for a body of any other form.
    init(_ bytes: [UInt8], limit: Int) throws(RequestError) {
        let body = try ObjectBody(bytes, keys: ["ids"], example: #"{"ids":[17,18]}"#)
        guard let value = body["ids"] else { throw body.error("The body has no \"ids\".") }
        let numbers = value.elements?.map { $0.integer(as: UInt64.self) } ?? [nil]
        guard !numbers.contains(nil) else { throw body.error("The value of \"ids\" is not a list of ids.") }
        guard (1...limit).contains(numbers.count) else {
            throw body.error("The list has \(numbers.count) ids; 1 to \(limit) are allowed.")
        }
        let ids = numbers.compactMap(\.self)
        if let id = ids.first(where: { !InstanceLookup.ids.contains($0) }) {
            throw body.error("\(id) is not a valid instance id.")
        }
        var seen: Set<UInt64> = []
        self.ids = ids.filter { seen.insert($0).inserted }.map(InstanceID.init)
    }
}
