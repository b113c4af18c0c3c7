import CRetainPaths
import LifetimeTracer

/// The table in which the search finds layouts; see `rp_layouts`.
///
/// Stays for the life of the process: the search reads it in copies, and metadata, of which it tells, is never freed either.
///
/// `@unchecked Sendable` is safe because the memory stays where it is, is written by the one who has the compiler, and what was entered
/// is not changed any more.
struct LayoutTable: @unchecked Sendable {
    private static let layoutLimit: UInt32 = 1 << 18
    private static let slotLimit: UInt32 = 1 << 21
    private static let nameLimit: UInt32 = 1 << 24
    /// Where memory is limited, by how much the table is smaller, and the room that it takes for that size.
    private static let smallerSizes: [(divisor: UInt32, room: Int)] = [(1, 512 << 20), (4, 128 << 20)]
    /// The table of a program with thousands of types.
    private static let largestDivisor: UInt32 = 16

    /// `nil` where memory for it could not be mapped.
    let memory: UnsafeMutablePointer<rp_layouts>?

    init() {
        let fitting = Self.smallerSizes.first { ProcessLimits.hasRoom(for: $0.room) }
        let divisor = fitting?.divisor ?? Self.largestDivisor
        memory = rp_make_layouts(Self.layoutLimit / divisor, Self.slotLimit / divisor, Self.nameLimit / divisor)
    }

    /// What did not fit.
    var dropped: UInt64 { memory?.pointee.dropped ?? 0 }
    var count: Int { memory.map { Int($0.pointee.layout_count) - 1 } ?? 0 }

    func find(_ key: UInt) -> rp_layout_index {
        memory.map { rp_find_layout($0, key) } ?? 0
    }

    /// Enters a layout; 0 when there is no room.
    ///
    /// - Parameter key: That of the table, or 0 for one that is only reached through others.
    func add(key: UInt, _ layout: rp_layout, _ slots: [Slot]) -> rp_layout_index {
        guard let memory else { return 0 }
        let index = rp_add_layout(memory, key)
        guard index != 0 else { return 0 }
        var entered = layout
        entered.key = key
        memory.pointee.layouts[Int(index)] = entered
        if !slots.isEmpty, !enter(slots, index) {
            // Nothing would be an untruth: then all of it is looked through.
            let start = slots.map(\.offset).min() ?? 0
            _ = enter([Slot(kind: .conservative, offset: start, length: 0)], index)
            memory.pointee.layouts[Int(index)].flags |= UInt8(RP_LAYOUT_IS_PARTLY_CONSERVATIVE.rawValue)
        }
        return index
    }

    private func enter(_ slots: [Slot], _ index: rp_layout_index) -> Bool {
        guard let memory else { return false }
        let entries = slots.map { slot in
            rp_slot(
                offset: UInt32(clamping: slot.offset), length: UInt32(clamping: slot.length), name: intern(slot.name),
                layout: slot.layout, kind: slot.kind.code)
        }
        return entries.withUnsafeBufferPointer { entries in
            rp_set_slots(memory, index, entries.baseAddress, UInt32(entries.count))
        }
    }

    func intern(_ name: String) -> rp_name_index {
        guard let memory, !name.isEmpty else { return 0 }
        var name = name
        return name.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { rp_add_name(memory, $0.baseAddress, $0.count) }
        }
    }

    func name(_ index: rp_name_index) -> String {
        guard let memory, index < memory.pointee.name_bytes else { return "" }
        return String(cString: memory.pointee.names + Int(index))
    }
}
