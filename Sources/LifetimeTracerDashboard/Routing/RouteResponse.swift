extension Route {
    /// The description of a possible response.
    package struct Response: Sendable {
        /// One format of the body.
        package struct Content: Sendable {
            /// The media type, without parameters: `application/json`.
            package let type: String
            /// The schema of a JSON body; for any other body, the schema of its text.
            package let schema: JSONSchema

            /// Creates the description of a body format.
            package init(_ type: String, _ schema: JSONSchema) {
                self.type = type
                self.schema = schema
            }
        }

        /// The HTTP status.
        package let status: Int
        /// The condition for the response, and its content.
        package let description: String
        /// The formats of the body; empty if the response has no body.
        package let contents: [Content]
        /// The header fields of the response.
        package let headers: [Header]
        /// The links from the body to other routes.
        package let links: [Link]

        /// Creates the description of a response whose body has several formats.
        package init(
            _ status: Int, _ description: String, contents: [Content], headers: [Header] = [], links: [Link] = []
        ) {
            self.status = status
            self.description = description
            self.contents = contents
            self.headers = headers
            self.links = links
        }

        /// Creates the description of a response.
        ///
        /// - Parameters:
        ///   - status: The HTTP status.
        ///   - description: The condition for the response, and its content.
        ///   - contentType: The media type of the body; `nil` if the response has no body.
        ///   - schema: The schema of the body. A ``JSONSchema`` with a name becomes a component of the API's
        ///     description.
        ///   - headers: The header fields of the response.
        ///   - links: The links from the body to other routes.
        package init(
            _ status: Int, _ description: String, contentType: String? = "application/json",
            schema: JSONSchema = .anything, headers: [Header] = [], links: [Link] = []
        ) {
            self.init(
                status, description, contents: contentType.map { [Content($0, schema)] } ?? [], headers: headers,
                links: links)
        }

        /// Status 200 with JSON of any form.
        package static let json = Response(200, "The response.")

        /// Returns the description of the response to a thrown ``RequestError``.
        package static func error(_ status: Int, _ description: String, headers: [Header] = []) -> Self {
            Self(status, description, schema: WireError.schema, headers: headers)
        }

        /// Returns the description of a JSON response with the schema of a type.
        static func json<Answer: JSONDescribed>(
            _ status: Int = 200, _ description: String, _ type: Answer.Type, headers: [Header] = [], links: [Link] = []
        ) -> Self {
            Self(status, description, schema: type.schema, headers: headers, links: links)
        }
    }

    /// A link from a response to another request, such as from a list to one of its entries.
    package struct Link: Sendable {
        /// The name of the link.
        package let name: String
        /// The method of the target route.
        package let method: Method
        /// The path of the target route, as declared.
        package let path: String
        /// For each parameter of the target route, the JSON pointer to its value in the body: `/instances/0/id`.
        package let parameters: [(name: String, pointer: String)]

        /// Creates a link.
        package init(
            _ name: String, to method: Method, _ path: String, parameters: [(name: String, pointer: String)]
        ) {
            self.name = name
            self.method = method
            self.path = path
            self.parameters = parameters
        }
    }

    /// The id of the operation in the API's description: `getInstancesByIDRetainPath`.
    var operationID: String { Self.operationID(method, path) }

    /// Returns the operation id for a method and a path.
    static func operationID(_ method: Method, _ path: String) -> String {
        let words = path.split { !$0.isASCII || !($0.isLetter || $0.isNumber || $0 == "{" || $0 == "}") }
            .drop { $0 == "api" || $0 == "v1" }
            .map { word in
                let name = word.filter { $0 != "{" && $0 != "}" }
                let capitalised = name == "id" ? "ID" : name.prefix(1).uppercased() + name.dropFirst()
                return word.first == "{" ? "By" + capitalised : capitalised
            }
        return method.rawValue.lowercased() + (words.isEmpty ? "Root" : words.joined())
    }
}

extension Route {
    /// Creates a route that responds with a value of one type, or with an error.
    ///
    /// The response has the schema of the type.
    ///
    /// - Parameters:
    ///   - status: The status of the response.
    ///   - description: The content of the response.
    ///   - errors: The errors besides those of every route.
    ///   - handler: Returns the value.
    package init<Answer: JSONDescribed>(
        _ method: Method, _ path: String, summary: String, parameters: [Parameter] = [], bodySchema: JSONSchema? = nil,
        answer status: Int = 200, _ description: String, links: [Link] = [], errors: [Response] = [],
        handler: @escaping @Sendable (RouteRequest) throws -> Answer
    ) {
        let size = UsualSize()
        self.init(
            method, path, summary: summary, parameters: parameters,
            responses: [.json(status, description, Answer.self, links: links)] + errors, bodySchema: bodySchema
        ) { .json(try handler($0), status: status, size: size) }
    }
}
