import LifetimeTracer
import TracerBase

/// The wire type of a creation stack: its functions, innermost first.
///
/// Creating a value looks up function names, at first in the files of the program and its libraries. Create it outside
/// all locks. The JSON contains no addresses, so it is the same in every run of the same program.
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

/// The wire type of a function of a creation stack.
private struct WireStackFrame: JSONObject {
    let frame: Symbol

    static let fields = Field.list {
        Field("function") { $0.frame.name }
        Field("module") { $0.frame.module }
        Field("offset") { UInt64($0.frame.offset) }
    }
}
