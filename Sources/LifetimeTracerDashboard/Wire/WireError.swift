/// An error as it is sent.
struct WireError: JSONObject {
    let error: RequestError

    init(_ error: RequestError) {
        self.error = error
    }

    static let fields = Field.list {
        Field("error") { WireErrorDetail(error: $0.error) }
    }
}

/// What went wrong and what to do, as it is sent.
private struct WireErrorDetail: JSONObject {
    let error: RequestError

    static let fields = Field.list {
        Field("code", as: .string(pattern: "^[A-Za-z][A-Za-z0-9_.-]*$")) { $0.error.code }
        Field("message") { $0.error.message }
        Field("hint") { $0.error.hint }
        Field(sometimes: "diedAt") { $0.error.death.map(\.at) }
    }
}
