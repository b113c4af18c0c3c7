extension Route {
    /// What can come back from a route, for the description of the API.
    public struct Response: Sendable {
        /// One form of the body.
        public struct Content: Sendable {
            /// Its type, without parameters: `application/json`.
            public let type: String
            /// The schema of a JSON body; of any other body, that of its text.
            public let schema: JSONSchema

            /// Creates the description of a body.
            public init(_ type: String, _ schema: JSONSchema) {
                self.type = type
                self.schema = schema
            }
        }

        /// The status.
        public let status: Int
        /// When it comes, and what it holds.
        public let description: String
        /// The forms in which the body can come; none where there is no body.
        public let contents: [Content]
        /// The header fields that belong to it.
        public let headers: [Header]
        /// Requests that its body leads to.
        public let links: [Link]

        /// Creates the description of an answer in one of several forms.
        public init(
            _ status: Int, _ description: String, contents: [Content], headers: [Header] = [], links: [Link] = []
        ) {
            self.status = status
            self.description = description
            self.contents = contents
            self.headers = headers
            self.links = links
        }

        /// Creates the description of an answer.
        ///
        /// - Parameters:
        ///   - status: The status.
        ///   - description: When it comes, and what it holds.
        ///   - contentType: The type of the body; `nil` where there is none.
        ///   - schema: The schema of the body. A ``JSONSchema`` with a name becomes a component of the description.
        ///   - headers: The header fields that belong to it.
        ///   - links: Requests that its body leads to.
        public init(
            _ status: Int, _ description: String, contentType: String? = "application/json",
            schema: JSONSchema = .anything, headers: [Header] = [], links: [Link] = []
        ) {
            self.init(
                status, description, contents: contentType.map { [Content($0, schema)] } ?? [], headers: headers,
                links: links)
        }

        /// 200 with JSON of any form.
        public static let json = Response(200, "The answer.")

        /// An error, as a thrown ``RequestError`` is answered.
        public static func error(_ status: Int, _ description: String, headers: [Header] = []) -> Self {
            Self(status, description, schema: WireError.schema, headers: headers)
        }

        /// JSON of the form that values of a type have.
        static func json<Answer: JSONDescribed>(
            _ status: Int = 200, _ description: String, _ type: Answer.Type, headers: [Header] = [], links: [Link] = []
        ) -> Self {
            Self(status, description, schema: type.schema, headers: headers, links: links)
        }
    }

    /// A request that an answer leads to: from a list to one of its entries.
    public struct Link: Sendable {
        /// The name of the link.
        public let name: String
        /// The method of the route that it leads to.
        public let method: Method
        /// The path of that route, as the route declares it.
        public let path: String
        /// For each parameter of that route, where its value stands in the body, as a JSON pointer: `/instances/0/id`.
        public let parameters: [(name: String, pointer: String)]

        /// Creates a link.
        public init(
            _ name: String, to method: Method, _ path: String, parameters: [(name: String, pointer: String)]
        ) {
            self.name = name
            self.method = method
            self.path = path
            self.parameters = parameters
        }
    }

    /// The name of the route in the description of the API: `getInstancesByIDRetainPath`.
    var operationID: String { Self.operationID(method, path) }

    /// The name of a route in the description of the API.
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
    /// A route that answers with a value of one type, whose schema is that of the type, or with an error.
    ///
    /// - Parameters:
    ///   - status: The status of the answer.
    ///   - description: What it holds.
    ///   - errors: The errors that are its own.
    ///   - handler: Makes the value.
    init<Answer: JSONDescribed>(
        _ method: Method, _ path: String, summary: String, parameters: [Parameter] = [], bodySchema: JSONSchema? = nil,
        answer status: Int = 200, _ description: String, links: [Link] = [], errors: [Response] = [],
        handler: @escaping @Sendable (RouteRequest) throws -> Answer
    ) {
        self.init(
            method, path, summary: summary, parameters: parameters,
            responses: [.json(status, description, Answer.self, links: links)] + errors, bodySchema: bodySchema
        ) { .json(try handler($0), status: status) }
    }
}
