import CRetainPaths

/// The properties that the blocks of a line of a census share, as addresses.
///
/// They stay the same as long as the process lives, because types and functions are never unloaded. The blocks of the
/// same line are therefore found again in a later copy.
struct LineKey: Sendable, Hashable {
    /// An `rp_line_kind`.
    var kind: UInt8
    /// For Swift objects, an `rp_node_kind`; else 0.
    var node: UInt8
    /// The metadata of objects; the first word of a raw block.
    @HiddenAddress var metadata: UInt
    /// The function of a closure, the type in the box of an error, or the type of the first object in an array; 0 if it
    /// is not known.
    @HiddenAddress var detail: UInt

    /// Whether the blocks have a type or a class, so that a search can tell them from other blocks.
    var isOfType: Bool {
        [RP_LINE_OBJECTS, RP_LINE_BLOCKS].contains(rp_line_kind(UInt32(kind))) && metadata != 0
    }

    /// The key for a request.
    var key: rp_line_key { rp_line_key(metadata: metadata, detail: detail, kind: kind, node: node) }
}

extension LineKey {
    init(_ line: Census.Line) {
        self.init(
            kind: UInt8(clamping: line.kind.rawValue), node: UInt8(clamping: line.node.rawValue),
            metadata: line.metadata, detail: line.detail)
    }
}
