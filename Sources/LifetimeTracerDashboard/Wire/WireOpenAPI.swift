import LifetimeTracer

/// A table of routes as an OpenAPI 3.1 document (https://spec.openapis.org/oas/v3.1.0).
struct WireOpenAPI: JSONWritable {
    private let paths: [(path: String, routes: [Route])]

    init(_ routes: [Route]) {
        paths = Dictionary(grouping: routes, by: \.path).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("openapi", "3.1.0")
            writer.key("info")
            writer.object { writer in
                writer.field("title", "LifetimeTracer")
                writer.field("version", TracerVersion.current)
            }
            writer.key("paths")
            writer.object { writer in
                for (path, routes) in paths {
                    writer.key(path)
                    writer.object { writer in
                        for route in routes {
                            writer.key(route.method.rawValue.lowercased())
                            writeOperation(route, to: &writer)
                        }
                    }
                }
            }
            writer.key("components")
            writer.object { writer in
                writer.key("schemas")
                writer.object { writer in
                    writer.key("Error")
                    writer.raw(Self.errorSchema.utf8)
                }
            }
        }
    }

    private func writeOperation(_ route: Route, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("summary", route.summary)
            if !route.parameters.isEmpty {
                writer.key("parameters")
                writer.array(route.parameters) { writer, parameter in
                    writeParameter(parameter, inPath: route.pathParameterNames.contains(parameter.name), to: &writer)
                }
            }
            if let schema = route.bodySchema {
                writer.key("requestBody")
                writer.object { writer in
                    writer.field("required", true)
                    writeContent("application/json", schema: schema, to: &writer)
                }
            }
            writer.key("responses")
            writer.object { writer in
                for response in route.responses {
                    writer.key(String(response.status))
                    writer.object { writer in
                        writer.field("description", response.description)
                        if let type = response.contentType { writeContent(type, schema: "{}", to: &writer) }
                    }
                }
                writer.key("default")
                writer.object { writer in
                    writer.field("description", "What went wrong and what to do.")
                    writeContent(
                        "application/json", schema: ##"{"$ref":"#/components/schemas/Error"}"##, to: &writer)
                }
            }
        }
    }

    private func writeContent(_ type: String, schema: String, to writer: inout JSONWriter) {
        writer.key("content")
        writer.object { writer in
            writer.key(type)
            writer.object { writer in
                writer.key("schema")
                writer.raw(schema.utf8)
            }
        }
    }

    private func writeParameter(_ parameter: Route.Parameter, inPath: Bool, to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("name", parameter.name)
            writer.field("in", inPath ? "path" : "query")
            writer.field("description", parameter.description)
            writer.field("required", inPath || parameter.isRequired)
            writer.key("schema")
            writer.object { writer in
                switch parameter.value {
                case .text: writer.field("type", "string")
                case .integer(let range):
                    writer.field("type", "integer")
                    writer.field("minimum", range.lowerBound)
                    if range.upperBound < .max { writer.field("maximum", range.upperBound) }
                case .number(let range):
                    writer.field("type", "number")
                    writer.field("minimum", DecimalNumber.seconds(.seconds(range.lowerBound)))
                    writer.field("maximum", DecimalNumber.seconds(.seconds(range.upperBound)))
                case .choice(let choices):
                    writer.field("type", "string")
                    writer.field("enum", choices)
                }
            }
        }
    }

    private static let errorSchema = """
        {"type":"object","required":["error"],"properties":{"error":{"type":"object",\
        "required":["code","message","hint"],"properties":{"code":{"type":"string"},"message":{"type":"string"},\
        "hint":{"type":"string"}}}}}
        """
}
