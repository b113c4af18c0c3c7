/// A request that the router has matched to a route, with checked parameters.
package struct RouteRequest: Sendable {
    /// The original request.
    package let request: HTTPRequest

    /// The given parameters: few, so that a search takes less time than a hash.
    private let values: [RequestTarget.QueryItem]
    private let declared: [String]

    /// Checks the parameters of a request against the declarations of its route.
    ///
    /// - Parameters:
    ///   - pathValues: The values of the path parameters, by name.
    ///   - query: The names and values in the query, in order.
    init(
        _ request: HTTPRequest, route: Route, pathValues: [RequestTarget.QueryItem] = [],
        query: [RequestTarget.QueryItem]
    ) throws(RequestError) {
        self.request = request
        declared = route.parameterNames
        values = pathValues + query
        for (position, item) in values.enumerated().dropFirst(pathValues.count) {
            guard declared.contains(item.name), !pathValues.contains(where: { $0.name == item.name }) else {
                let known = route.parameters.filter { known in !pathValues.contains { $0.name == known.name } }
                throw .unknownParameter(item.name, known)
            }
            guard !values[..<position].contains(where: { $0.name == item.name }) else {
                throw .repeatedParameter(item.name)
            }
        }
        // In the order of the declarations, and without copies of those that are not given.
        for position in declared.indices {
            if let value = value(declared[position]) {
                _ = try route.parameters[position].validated(value)
            } else if route.requiredParameters.contains(position) {
                throw .missingParameter(route.parameters[position])
            }
        }
    }

    /// Creates a request without parameters, of a route that declares none.
    init(withoutParameters request: HTTPRequest) {
        self.request = request
        values = []
        declared = []
    }

    /// Returns the value of a parameter; `nil` if the request lacks it.
    package func text(_ name: String) -> String? {
        precondition(declared.contains(name), "the route does not declare a parameter \(name)")
        return value(name)
    }

    private func value(_ name: String) -> String? {
        values.first { $0.name == name }?.value
    }

    /// Returns the value of a parameter that is declared as ``Route/Parameter/Value/integer(_:)``.
    package func integer(_ name: String) -> Int? {
        text(name).flatMap(Route.Parameter.integer)
    }

    /// Returns the value of a parameter that is declared as ``Route/Parameter/Value/number(_:)``.
    package func number(_ name: String) -> Double? {
        text(name).flatMap(Route.Parameter.number)
    }
}

extension RequestError {
    fileprivate static func unknownParameter(_ name: String, _ known: [Route.Parameter]) -> Self {
        let names = known.map(\.name).joined(separator: ", ")
        return Self(
            status: 400, code: "unknownParameter", message: "The parameter \"\(name.shortened)\" is unknown.",
            hint: known.isEmpty ? "This route has no parameters." : "Known parameters: \(names).")
    }

    fileprivate static func repeatedParameter(_ name: String) -> Self {
        Self(
            status: 400, code: "repeatedParameter", message: "The parameter \"\(name)\" is given more than once.",
            hint: "Send the parameter once.")
    }

    fileprivate static func missingParameter(_ parameter: Route.Parameter) -> Self {
        Self(
            status: 400, code: "invalidParameter", message: "The parameter \"\(parameter.name)\" is missing.",
            hint: "\(parameter.description) Accepted: \(parameter.accepted).")
    }
}
