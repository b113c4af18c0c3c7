import CRetainPaths
import LifetimeTracer
import TracerBase

/// The table in which the search finds layouts; see `rp_layouts`.
///
/// The table stays for the life of the process: the search reads it in frozen copies, and the metadata that it
/// describes is never freed either.
///
/// `@unchecked Sendable` is safe because the memory stays at its address, only the thread that has the compiler writes
/// to it, and entries are not changed once they are added.
struct LayoutTable: @unchecked Sendable {
    private static let layoutLimit: UInt32 = 1 << 18
    private static let slotLimit: UInt32 = 1 << 21
    private static let nameLimit: UInt32 = 1 << 24
    /// Divisors of the table's size, each with the memory that must be available for a table of that size.
    private static let smallerSizes: [(divisor: UInt32, room: Int)] = [(1, 512 << 20), (4, 128 << 20)]
    /// The divisor if less memory is available.
    ///
    /// The table still suffices for a program with thousands of types.
    private static let largestDivisor: UInt32 = 16

    /// `nil` if the memory could not be mapped.
    let memory: UnsafeMutablePointer<rp_layouts>?

    init() {
        let fitting = Self.smallerSizes.first { ProcessLimits.hasRoom(for: $0.room) }
        let divisor = fitting?.divisor ?? Self.largestDivisor
        memory = rp_make_layouts(Self.layoutLimit / divisor, Self.slotLimit / divisor, Self.nameLimit / divisor)
    }

    /// The number of layouts, slots and names that did not fit.
    var dropped: UInt64 { memory?.pointee.dropped ?? 0 }
    var count: Int { memory.map { Int($0.pointee.layout_count) - 1 } ?? 0 }

    func find(_ key: UInt) -> rp_layout_index {
        memory.map { rp_find_layout($0, key) } ?? 0
    }

    /// Adds a layout and returns its index; 0 if there is no room.
    ///
    /// - Parameter key: The key in the table, or 0 for a layout that is only reached through other layouts.
    func add(key: UInt, _ layout: rp_layout, _ slots: [Slot]) -> rp_layout_index {
        guard let memory else { return 0 }
        let index = rp_add_layout(memory, key)
        guard index != 0 else { return 0 }
        var entered = layout
        entered.key = key
        memory.pointee.layouts[Int(index)] = entered
        if !slots.isEmpty, !enter(slots, index) {
            // A layout without slots would claim that there are no references. Without room for the slots, the search
            // scans the whole object conservatively.
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
