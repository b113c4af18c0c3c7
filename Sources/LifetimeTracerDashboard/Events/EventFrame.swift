import TracerBase

/// The parts of a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum EventFrame {
    /// Returns an event whose data is JSON.
    ///
    /// The JSON contains no line breaks, so one `data` line is enough.
    static func event(_ name: String, id: UInt64? = nil, _ data: some JSONWritable) -> [UInt8] {
        var frame: [UInt8] = []
        if let id { frame += Array("id: \(id)\n".utf8) }
        frame += Array("event: \(name)\ndata: ".utf8)
        frame += data.jsonBytes
        frame += Array("\n\n".utf8)
        return frame
    }

    /// Returns a comment, which clients ignore.
    ///
    /// Sent as the first chunk, a comment makes the server send the header fields.
    static func comment(_ text: String) -> [UInt8] {
        Array(": \(text)\n\n".utf8)
    }
}
