/// In which direction a list is sorted.
enum SortOrder: String, Sendable, CaseIterable {
    case ascending = "asc"
    case descending = "desc"

    /// The parameter that says so.
    static func parameter(_ description: String) -> Route.Parameter {
        Route.Parameter("order", .choice(allCases.map(\.rawValue)), description)
    }

    /// What a request asks for.
    init?(_ request: RouteRequest) {
        guard let value = request.text("order").flatMap(Self.init) else { return nil }
        self = value
    }

    /// Whether one value comes before another; `nil` when they are equal and something else must decide.
    func isBefore<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
        guard left != right else { return nil }
        return (left < right) == (self == .ascending)
    }
}
