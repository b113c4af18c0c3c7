/// A request that the router has matched to a route, with checked parameters.
package struct RouteRequest: Sendable {
    /// The original request.
    package let request: HTTPRequest

    private let values: [String: String]
    private let declared: Set<String>

    /// Checks the parameters of a request against the declarations of its route.
    ///
    /// - Parameters:
    ///   - pathValues: The values of the path parameters, by name.
    ///   - query: The names and values in the query, in order.
    init(
        _ request: HTTPRequest, route: Route, pathValues: [String: String], query: [RequestTarget.QueryItem]
    ) throws(RequestError) {
        self.request = request
        declared = route.parameterNames
        var values = pathValues
        let known = query.isEmpty ? [] : route.parameters.filter { pathValues[$0.name] == nil }
        for item in query {
            guard known.contains(where: { $0.name == item.name }) else { throw .unknownParameter(item.name, known) }
            guard values.updateValue(item.value, forKey: item.name) == nil else { throw .repeatedParameter(item.name) }
        }
        for parameter in route.parameters {
            if let value = values[parameter.name] {
                _ = try parameter.validated(value)
            } else if parameter.isRequired {
                throw .missingParameter(parameter)
            }
        }
        self.values = values
    }

    /// Returns the value of a parameter; `nil` if the request lacks it.
    package func text(_ name: String) -> String? {
        precondition(declared.contains(name), "the route does not declare a parameter \(name)")
        return values[name]
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
