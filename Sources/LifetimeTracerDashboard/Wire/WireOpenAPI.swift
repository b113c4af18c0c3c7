import LifetimeTracer
import TracerBase

/// The OpenAPI 3.1 document that describes a list of routes (https://spec.openapis.org/oas/v3.1.0).
struct WireOpenAPI: JSONDescribed {
    static let schema = JSONSchema.openObject([
        JSONSchema.Property("openapi", .choice([version])), JSONSchema.Property("info", .openObject([])),
        JSONSchema.Property("paths", .openObject([])), JSONSchema.Property("components", .openObject([])),
    ])

    private static let version = "3.1.0"

    private let paths: [(path: String, routes: [Route])]
    private let schemas: [(name: String, schema: JSONSchema)]
    private let security: AccessTokenScheme?

    /// Creates the document.
    ///
    /// - Parameter security: The scheme by which requests show the access token; `nil` if none is required.
    init(_ routes: [Route], security: AccessTokenScheme?) {
        paths = Dictionary(grouping: routes, by: \.path).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        schemas = Self.schemas(of: routes)
        self.security = security
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("openapi", Self.version)
            writer.key("info")
            writer.object { writer in
                writer.field("title", "LifetimeTracer")
                writer.field("version", TracerVersion.current)
            }
            if security != nil { writer.field("security", AccessTokenScheme.names.map(Requirement.init)) }
            writer.key("paths")
            writer.object { writer in
                for (path, routes) in paths {
                    writer.key(path)
                    writer.object { writer in
                        for route in routes {
                            writer.key(route.method.rawValue.lowercased())
                            WireOperation(route, requiresToken: security != nil).write(to: &writer)
                        }
                    }
                }
            }
            writer.key("components")
            writer.object { writeComponents(to: &$0) }
        }
    }

    private func writeComponents(to writer: inout JSONWriter) {
        writer.key("schemas")
        writer.object { writer in
            for (name, schema) in schemas { writer.field(name, schema) }
        }
        writer.key("responses")
        writer.object { writer in
            for entry in CommonResponses.all {
                writer.key(entry.name)
                WireOperation.write(entry.response, to: &writer)
            }
        }
        if let security {
            writer.field("securitySchemes", security)
        }
    }

    /// Returns all named schemas, each once.
    private static func schemas(of routes: [Route]) -> [(name: String, schema: JSONSchema)] {
        let contents = (routes.flatMap(\.responses) + CommonResponses.all.map(\.response)).flatMap { response in
            response.contents.map(\.schema) + response.headers.map(\.schema)
        }
        let accepted = routes.flatMap { route in
            route.parameters.map(\.schema) + route.requestHeaders.map(\.schema) + [route.bodySchema].compactMap(\.self)
        }
        var found: [String: JSONSchema] = [:]
        for (name, schema) in (contents + accepted).flatMap(\.components) {
            precondition(found[name, default: schema] == schema, "two different schemas are named \(name)")
            found[name] = schema
        }
        return found.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// One of the alternative ways to authorise a request.
    private struct Requirement: JSONWritable {
        let name: String

        func write(to writer: inout JSONWriter) {
            writer.object { $0.field(name, [String]()) }
        }
    }
}

/// The scheme by which requests show the access token, as an OpenAPI document describes it.
struct AccessTokenScheme: JSONWritable {
    static let names = ["accessToken", "session"]

    /// The name of the cookie that a browser gets in exchange for the access token.
    let cookieName: String

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key(Self.names[0])
            writer.object { writer in
                writer.field("type", "http")
                writer.field("scheme", "bearer")
                writer.field("description", "The access token of the dashboard.")
            }
            writer.key(Self.names[1])
            writer.object { writer in
                writer.field("type", "apiKey")
                writer.field("in", "cookie")
                writer.field("name", cookieName)
                writer.field("description", "The session cookie, which `/?token=` sets in a browser.")
            }
        }
    }
}
