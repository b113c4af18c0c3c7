import CRetainPaths

/// Where the references are in a value of a type.
struct ValueLayout {
    var size: Int
    var stride: Int
    var alignment: Int
    var slots: [Slot]
    var isPlain = false
    /// Whether some part of it is only guessed, in payloads, too.
    var isPartlyConservative = false
    var key = RP_KEY_NONE
    /// The layout in the table, for an enum whose case must be asked for, in which there is only the slot of the enum.
    var cases: rp_layout_index = 0

    /// A reference to an object.
    static let reference = ValueLayout(
        size: wordSize, stride: wordSize, alignment: wordSize, slots: [Slot(kind: .strong)])

    /// A value of which nothing is known but its size.
    static func unknown(size: Int, alignment: Int = wordSize) -> Self {
        let stride = max(1, (size + alignment - 1) / alignment * alignment)
        return Self(
            size: size, stride: stride, alignment: alignment, slots: .unknown(length: size),
            isPartlyConservative: size >= wordSize)
    }
}
