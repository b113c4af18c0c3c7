import CRetainPaths

/// A place in an object or value, before it is entered into the table.
struct Slot {
    /// `rp_slot_kind`, where what it means is written.
    enum Kind {
        case strong, weak, unowned, unmanaged, plain, function, existential, enumeration, payloadCase, conservative

        var code: UInt8 {
            let kind =
                switch self {
                case .strong: RP_SLOT_STRONG
                case .weak: RP_SLOT_WEAK
                case .unowned: RP_SLOT_UNOWNED
                case .unmanaged: RP_SLOT_UNMANAGED
                case .plain: RP_SLOT_PLAIN
                case .function: RP_SLOT_FUNCTION
                case .existential: RP_SLOT_EXISTENTIAL
                case .enumeration: RP_SLOT_ENUM
                case .payloadCase: RP_SLOT_CASE
                case .conservative: RP_SLOT_CONSERVATIVE
                }
            return UInt8(kind.rawValue)
        }
    }

    var kind: Kind
    var offset = 0
    /// 0 in a conservative slot: to the end of the object.
    var length = wordSize
    var name = ""
    /// Of an enum or a payload.
    var layout: rp_layout_index = 0

    /// The same place in what contains it.
    func moved(by offset: Int, into outer: String) -> Self {
        var moved = self
        moved.offset += offset
        moved.name = Self.join(outer, name)
        return moved
    }

    /// "position" and "owner" give "position.owner", "cells" and "[3]" give "cells[3]".
    static func join(_ outer: String, _ inner: String) -> String {
        if outer.isEmpty { return inner }
        if inner.isEmpty { return outer }
        return inner.hasPrefix("[") ? outer + inner : "\(outer).\(inner)"
    }

    /// What is left of a name of properties that say nothing: the index in an array, with what follows.
    var indexName: String {
        name.firstIndex(of: "[").map { String(name[$0...]) } ?? ""
    }
}

extension [Slot] {
    /// More places than this in one object or value are one conservative place instead.
    static let limit = 2_048

    var isPartlyConservative: Bool { contains { $0.kind == .conservative } }

    /// Words of which nothing is known.
    static func unknown(offset: Int = 0, length: Int, name: String = "") -> Self {
        length < wordSize ? [] : [Slot(kind: .conservative, offset: offset, length: length, name: name)]
    }
}
