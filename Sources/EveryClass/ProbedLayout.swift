import CEveryClass

/// What the hooks read of the metadata of the probe's classes, to be compared with facts that the compiler knows.
struct ProbedLayout {
    var plain = lt_probed_class(ProbePlain.self)
    var failing = lt_probed_class(ProbeFailing.self)
    var generic = lt_probed_class(ProbeGeneric<Int>.self)
    var buffer = lt_probed_class(ProbeBuffer.self)
    /// A class of the standard library.
    var foreign = lt_probed_class(ManagedBuffer<Int, Int>.self)

    /// The first difference; `nil` if there is none.
    var difference: String? {
        let headerSize: UInt64 = 16
        let expected: [(String, Bool)] = [
            ("the kind of a class", plain.is_class && failing.is_class && buffer.is_class),
            ("the size of an instance", plain.instance_size == headerSize + 17),
            ("the size of a subclass's instance", failing.instance_size == headerSize + 32),
            ("the alignment of an instance", plain.alignment_mask == 15 || plain.alignment_mask == 7),
            ("the superclass", failing.superclass == metadata(of: ProbePlain.self)),
            ("the descriptor of a class", plain.is_of_this_image && failing.is_of_this_image),
            ("the descriptor of a generic class", generic.is_of_this_image),
            ("a class of Swift", !foreign.is_of_this_image),
            ("a subclass of ManagedBuffer", buffer.is_buffer && !failing.is_buffer),
        ]
        return expected.first { !$0.1 }.map { "\($0.0) is not where the hooks expect it" }
    }
}

extension lt_probed_class {
    init(_ type: AnyClass) {
        self = lt_probe_class(metadata(of: type))
    }
}

/// The address of a class's metadata.
func metadata(of type: AnyClass) -> UnsafeRawPointer {
    // Safe: a class's metatype is the address of its metadata.
    unsafeBitCast(type, to: UnsafeRawPointer.self)
}
