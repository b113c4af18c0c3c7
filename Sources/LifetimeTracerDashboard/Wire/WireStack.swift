import LifetimeTracer

/// A creation stack as it is sent: its functions, from the innermost outwards.
///
/// Made outside all locks, because the names are looked up then, in the program's and its libraries' files at first. Nothing in it
/// differs from one run of the same program to the next, so there are no addresses.
struct WireStack: JSONDescribed {
    private let frames: [WireStackFrame]

    init(_ stack: CreationStack) {
        frames = stack.frames.map(WireStackFrame.init)
    }

    func write(to writer: inout JSONWriter) {
        frames.write(to: &writer)
    }

    static var schema: JSONSchema { [WireStackFrame].schema }
}

/// A function of a creation stack as it is sent.
private struct WireStackFrame: JSONObject {
    let frame: Symbol

    static let fields = Field.list {
        Field("function") { $0.frame.name }
        Field("module") { $0.frame.module }
        Field("offset") { UInt64($0.frame.offset) }
    }
}
