/// An error as it is sent.
struct WireError: JSONWritable {
    let error: RequestError

    init(_ error: RequestError) {
        self.error = error
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.key("error")
            writer.object { writer in
                writer.field("code", error.code)
                writer.field("message", error.message)
                writer.field("hint", error.hint)
                for (key, value) in error.details { writer.field(key, value) }
            }
        }
    }
}
