import LifetimeTracer

/// A creation stack as it is sent: its functions, from the innermost outwards.
///
/// Made outside all locks, because the names are looked up then, in the program's and its libraries' files at first. Nothing in it
/// differs from one run of the same program to the next, so there are no addresses.
struct WireStack: JSONWritable {
    private let frames: [Symbol]

    init(_ stack: CreationStack) {
        frames = stack.frames
    }

    func write(to writer: inout JSONWriter) {
        writer.array(frames) { writer, frame in
            writer.object { writer in
                writer.field("function", frame.name)
                writer.field("module", frame.module)
                writer.field("offset", UInt64(frame.offset))
            }
        }
    }
}
