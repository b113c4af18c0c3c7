import CRetainPaths

/// A slot of an object or value (see `rp_slot`), before it is added to the table.
struct Slot {
    /// The kind of a slot; see `rp_slot_kind`.
    enum Kind {
        case strong, weak, unowned, unmanaged, plain, function, existential, enumeration, payloadCase, conservative
        case slice, outlined, lock, mutex

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
                case .slice: RP_SLOT_SLICE
                case .outlined: RP_SLOT_OUTLINED
                case .lock: RP_SLOT_LOCK
                case .mutex: RP_SLOT_MUTEX
                }
            return UInt8(kind.rawValue)
        }
    }

    var kind: Kind
    var offset = 0
    /// In bytes; 0 in a conservative slot means up to the end of the object.
    var length = wordSize
    var name = ""
    /// The layout of the enum or of the payload.
    var layout: rp_layout_index = 0

    /// The same slot, relative to the value or object that contains this one.
    func moved(by offset: Int, into outer: String) -> Self {
        var moved = self
        moved.offset += offset
        moved.name = Self.join(outer, name)
        return moved
    }

    /// The slot of a pointer that owns its object, such as those of Foundation's classes to objects of Core Foundation.
    ///
    /// The type of the pointer does not say so, and therefore the reference is not certain.
    var owning: Self {
        guard kind == .unmanaged else { return self }
        var owning = self
        owning.kind = .conservative
        return owning
    }

    /// Joins two parts of a name: "position" and "owner" give "position.owner", "cells" and "[3]" give "cells[3]".
    static func join(_ outer: String, _ inner: String) -> String {
        if outer.isEmpty { return inner }
        if inner.isEmpty { return outer }
        return inner.hasPrefix("[") ? outer + inner : "\(outer).\(inner)"
    }

    /// The part of the name from the first index of an array on.
    ///
    /// It is the only part that users need if the properties before it are internal to a library.
    var indexName: String {
        name.firstIndex(of: "[").map { String(name[$0...]) } ?? ""
    }
}

extension [Slot] {
    /// The largest number of slots in one object or value.
    ///
    /// Beyond it, one conservative slot replaces all.
    static let limit = 2_048

    var isPartlyConservative: Bool { contains { $0.kind == .conservative } }

    /// Whether one of the slots of plain data may be a pointer that retains an object.
    ///
    /// An enum of plain data has a slot of its own only if a payload contains such a pointer.
    var mayRetain: Bool { contains { $0.kind == .unmanaged || $0.kind == .enumeration } }

    /// One conservative slot; empty if the length is less than a word.
    static func unknown(offset: Int = 0, length: Int, name: String = "") -> Self {
        length < wordSize ? [] : [Slot(kind: .conservative, offset: offset, length: length, name: name)]
    }
}
