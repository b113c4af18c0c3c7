/// One piece of a stream of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html).
enum EventFrame {
    /// An event with JSON as its data, which has no line ends in it.
    static func event(_ name: String, id: UInt64? = nil, _ data: some JSONWritable) -> [UInt8] {
        var frame: [UInt8] = []
        if let id { frame += Array("id: \(id)\n".utf8) }
        frame += Array("event: \(name)\ndata: ".utf8)
        frame += data.jsonBytes
        frame += Array("\n\n".utf8)
        return frame
    }

    /// What clients ignore; as the first thing sent it gets the headers on their way.
    static func comment(_ text: String) -> [UInt8] {
        Array(": \(text)\n\n".utf8)
    }
}
