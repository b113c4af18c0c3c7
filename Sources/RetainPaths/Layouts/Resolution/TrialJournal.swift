import CRetainPaths

/// The journal of a throwaway process that tries names.
///
/// The parent reads it when that process has ended.
///
/// The two processes share the memory. The parent reads only the progress while the throwaway process writes.
struct TrialJournal {
    /// A name that was tried, or a symbol that the parent must look up.
    struct Entry {
        let key: NameScreening.Key
        let isSymbol: Bool
        let isEnded: Bool
    }

    // Shared memory, freed by the caller of the trial after the last use of the journal.
    private let memory: UnsafeMutablePointer<rp_trial>

    init(_ memory: UnsafeMutablePointer<rp_trial>) {
        self.memory = memory
    }

    // MARK: In the throwaway process

    /// Records which item is being worked on.
    func setItem(_ item: Int) {
        memory.pointee.item = UInt32(item)
        memory.pointee.progress &+= 1
    }

    /// Records that a name is about to be resolved.
    ///
    /// Returns false if there is no room; then the name must not be resolved.
    func begin(_ key: NameScreening.Key) -> Bool {
        add(key, RP_TRIAL_NAME, RP_TRIAL_BEGUN)
    }

    /// Records that the last name was resolved.
    func endLast() {
        // No entry is added between `begin(_:)` and `endLast()`.
        let last = memory.pointee.entry_count - 1
        rp_trial_entry_at(memory, last).pointee.state = UInt8(RP_TRIAL_ENDED.rawValue)
        memory.pointee.progress &+= 1
    }

    func want(symbolAt address: UInt) {
        _ = add(NameScreening.Key(address: address, arguments: 0), RP_TRIAL_SYMBOL, RP_TRIAL_ENDED)
    }

    func finish() {
        memory.pointee.is_done = true
    }

    private func add(
        _ key: NameScreening.Key, _ kind: rp_trial_entry_kind, _ state: rp_trial_entry_state
    ) -> Bool {
        let index = memory.pointee.entry_count
        guard index < Self.limit else {
            memory.pointee.is_full = true
            return false
        }
        rp_trial_entry_at(memory, index).pointee = rp_trial_entry(
            address: key.address, arguments: key.arguments, kind: UInt8(kind.rawValue), state: UInt8(state.rawValue))
        memory.pointee.entry_count = index + 1
        memory.pointee.progress &+= 1
        return true
    }

    // MARK: In the parent

    var isDone: Bool { memory.pointee.is_done }
    var isFull: Bool { memory.pointee.is_full }
    var item: Int { Int(memory.pointee.item) }

    var entries: [Entry] {
        (0..<min(memory.pointee.entry_count, Self.limit)).map { index in
            let entry = rp_trial_entry_at(memory, index).pointee
            return Entry(
                key: NameScreening.Key(address: entry.address, arguments: entry.arguments),
                isSymbol: entry.kind == UInt8(RP_TRIAL_SYMBOL.rawValue),
                isEnded: entry.state == UInt8(RP_TRIAL_ENDED.rawValue))
        }
    }

    private static let limit = UInt32(RP_TRIAL_ENTRIES)
}
