/// The wire type of an error.
struct WireError: JSONObject {
    let error: RequestError

    init(_ error: RequestError) {
        self.error = error
    }

    static let fields = Field.list {
        Field("error") { WireErrorDetail(error: $0.error) }
    }
}

/// The wire type of an error's details: its code, message and hint.
private struct WireErrorDetail: JSONObject {
    let error: RequestError

    static let fields = Field.list {
        Field("code", as: .string(pattern: "^[A-Za-z][A-Za-z0-9_.-]*$")) { $0.error.code }
        Field("message") { $0.error.message }
        Field("hint") { $0.error.hint }
        Field(sometimes: "diedAt") { $0.error.death.map(\.at) }
    }
}
