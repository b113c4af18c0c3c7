/// A known leak as it is sent.
struct WireKnownLeak: JSONWritable {
    private let leak: ToleratedLeak
    private let count: Int?

    /// - Parameter count: How many instances it explains, where that is told.
    init(_ leak: ToleratedLeak, count: Int? = nil) {
        self.leak = leak
        self.count = count
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("subject", leak.subject)
            writer.field("reason", leak.reason)
            writer.field("expires", leak.expires)
            writer.field("silenced", leak.isSilenced)
            if let count { writer.field("count", count) }
        }
    }
}
