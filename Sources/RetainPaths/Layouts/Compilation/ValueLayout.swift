import CRetainPaths

/// The layout of a type's values: the positions of their references.
struct ValueLayout {
    var size: Int
    var stride: Int
    var alignment: Int
    var slots: [Slot]
    var isPlain = false
    /// Whether some part of the value, including the payloads of enums, is scanned conservatively.
    var isPartlyConservative = false
    var key = RP_KEY_NONE
    /// For an enum whose case is read at search time: the index of the layout of its cases, else 0.
    ///
    /// `slots` then contains only the enum's slot.
    var cases: rp_layout_index = 0

    /// The layout of a reference to an object.
    static let reference = ValueLayout(
        size: wordSize, stride: wordSize, alignment: wordSize, slots: [Slot(kind: .strong)])

    /// The layout of a value of which only the size is known.
    static func unknown(size: Int, alignment: Int = wordSize) -> Self {
        let stride = max(1, (size + alignment - 1) / alignment * alignment)
        return Self(
            size: size, stride: stride, alignment: alignment, slots: .unknown(length: size),
            isPartlyConservative: size >= wordSize)
    }
}
