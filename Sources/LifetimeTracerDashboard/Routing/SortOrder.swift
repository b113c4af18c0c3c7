/// The direction in which a list is sorted.
enum SortOrder: String, Sendable, CaseIterable {
    case ascending = "asc"
    case descending = "desc"

    /// Returns the query parameter for the direction.
    static func parameter(_ description: String) -> Route.Parameter {
        Route.Parameter("order", .choice(allCases.map(\.rawValue)), description)
    }

    /// Reads the direction from a request; `nil` if the request sets none.
    init?(_ request: RouteRequest) {
        guard let value = request.text("order").flatMap(Self.init) else { return nil }
        self = value
    }

    /// Returns whether one value comes before another; `nil` if they are equal and another criterion must decide.
    func isBefore<Value: Comparable>(_ left: Value, _ right: Value) -> Bool? {
        guard left != right else { return nil }
        return (left < right) == (self == .ascending)
    }
}
