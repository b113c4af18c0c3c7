/// The deadlines in force, by id.
///
/// A slot in an array holds each deadline, and its id contains the number of the slot, so no lookup hashes. The array
/// keeps the slots of ended deadlines for later ones.
struct DeadlineEntries: Sendable {
    private struct Slot: Sendable {
        /// `none` while the slot is free.
        var id: DeadlineID
        /// The same as in the entry, which has several references to count when it is copied.
        var due: MonotonicTime
        var entry: DeadlineTable.Entry?
    }

    /// The most deadlines at a time, whatever a registry's limit.
    static let limit = 1 << DeadlineID.slotBits

    private var slots: [Slot] = []
    private var free: [Int32] = []
    private var lastSerial: UInt64 = 0

    var count: Int { slots.count - free.count }

    /// The ids in the order in which the deadlines were added.
    var ids: [DeadlineID] { slots.lazy.filter { $0.entry != nil }.map(\.id).sorted() }

    subscript(id: DeadlineID) -> DeadlineTable.Entry? {
        contains(id) ? slots[id.slot].entry : nil
    }

    func contains(_ id: DeadlineID) -> Bool {
        id.slot < slots.count && slots[id.slot].id == id
    }

    /// When a deadline is due; `nil` if it is not in force.
    func due(_ id: DeadlineID) -> MonotonicTime? {
        contains(id) ? slots[id.slot].due : nil
    }

    /// Adds a deadline; there must be fewer than ``limit``.
    mutating func add(_ entry: DeadlineTable.Entry) -> DeadlineID {
        lastSerial += 1
        guard let slot = free.popLast() else {
            let id = DeadlineID(serial: lastSerial, slot: slots.count)
            slots.append(Slot(id: id, due: entry.due, entry: entry))
            return id
        }
        let id = DeadlineID(serial: lastSerial, slot: Int(slot))
        slots[Int(slot)] = Slot(id: id, due: entry.due, entry: entry)
        return id
    }

    /// Removes a deadline that is in force.
    mutating func remove(_ id: DeadlineID) {
        guard contains(id) else { return }
        slots[id.slot].id = .none
        slots[id.slot].entry = nil
        free.append(Int32(id.slot))
    }
}
