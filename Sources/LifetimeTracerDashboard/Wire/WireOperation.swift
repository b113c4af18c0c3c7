import TracerBase

/// The operation of an OpenAPI document that describes a route.
struct WireOperation: JSONWritable {
    private let route: Route
    private let common: [CommonResponses.Entry]

    init(_ route: Route, requiresToken: Bool) {
        self.route = route
        let own = Set(route.responses.map(\.status))
        common = CommonResponses.entries(requiresToken: requiresToken)
            .filter { !own.contains($0.response.status) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("operationId", route.operationID)
            writer.field("summary", route.summary)
            let parameters = parameters
            if !parameters.isEmpty { writer.field("parameters", parameters) }
            if let schema = route.bodySchema {
                writer.key("requestBody")
                writer.object { writer in
                    writer.field("required", true)
                    Self.write([Route.Response.Content("application/json", schema)], to: &writer)
                }
            }
            writer.key("responses")
            writer.object { writer in
                for response in route.responses {
                    writer.key(String(response.status))
                    Self.write(response, to: &writer)
                }
                for entry in common {
                    writer.field(
                        String(entry.response.status), JSONReference("#/components/responses/\(entry.name)"))
                }
            }
        }
    }

    /// Writes the description of a response.
    static func write(_ response: Route.Response, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("description", response.description)
            if !response.headers.isEmpty {
                writer.key("headers")
                writer.object { writer in
                    for header in response.headers { writer.field(header.name, ResponseHeader(header: header)) }
                }
            }
            write(response.contents, to: &writer)
            if !response.links.isEmpty {
                writer.key("links")
                writer.object { writer in
                    for link in response.links { writer.field(link.name, link) }
                }
            }
        }
    }

    private static func write(_ contents: [Route.Response.Content], to writer: inout JSONWriter) {
        guard !contents.isEmpty else { return }
        writer.key("content")
        writer.object { writer in
            for content in contents {
                writer.key(content.type)
                writer.object { $0.field("schema", content.schema) }
            }
        }
    }

    private var parameters: [Parameter] {
        let inPath = route.pathParameterNames
        let own = route.parameters.map { parameter in
            Parameter(
                name: parameter.name, place: inPath.contains(parameter.name) ? "path" : "query",
                description: parameter.description,
                isRequired: parameter.isRequired || inPath.contains(parameter.name), schema: parameter.schema)
        }
        let headers = route.requestHeaders.map { header in
            Parameter(
                name: header.name, place: "header", description: header.description, isRequired: header.isRequired,
                schema: header.schema)
        }
        return own + headers
    }

    private struct Parameter: JSONWritable {
        let name: String
        let place: String
        let description: String
        let isRequired: Bool
        let schema: JSONSchema

        func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.field("name", name)
                writer.field("in", place)
                writer.field("description", description)
                writer.field("required", isRequired)
                writer.field("schema", schema)
            }
        }
    }

    private struct ResponseHeader: JSONWritable {
        let header: Route.Header

        func write(to writer: inout JSONWriter) {
            writer.object { writer in
                writer.field("description", header.description)
                writer.field("required", header.isRequired)
                writer.field("schema", header.schema)
            }
        }
    }
}

extension Route.Link: JSONWritable {
    @usableFromInline
    package func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("operationId", Route.operationID(method, path))
            writer.key("parameters")
            writer.object { writer in
                for (name, pointer) in parameters { writer.field(name, "$response.body#\(pointer)") }
            }
        }
    }
}
