import CLifetimeRuntime

/// Memory for the records of cuts.
///
/// The memory of the last small cut is kept for the next one: fresh memory would cost more than the copy itself,
/// because the system provides it page by page.
enum RecordBuffer {
    /// The most records of memory that is kept: one megabyte.
    private static let most = 1 << 16

    /// `@unchecked Sendable` is safe because nobody uses memory that is kept here.
    private struct Spare: @unchecked Sendable, LockedState {
        var memory: UnsafeMutableBufferPointer<lt_record>?
    }

    private static let spare = Locked(Spare())

    /// Returns memory for records; it may have more room than requested.
    static func take(capacity: Int) -> UnsafeMutableBufferPointer<lt_record> {
        let kept = spare.withLock { spare -> UnsafeMutableBufferPointer<lt_record>? in
            guard let memory = spare.memory, memory.count >= capacity else { return nil }
            spare.memory = nil
            return memory
        }
        return kept ?? .allocate(capacity: capacity)
    }

    /// Takes memory back, which nobody may use afterwards.
    static func giveBack(_ memory: UnsafeMutableBufferPointer<lt_record>) {
        let unwanted = spare.withLock { spare -> UnsafeMutableBufferPointer<lt_record>? in
            guard memory.count <= most, memory.count > spare.memory?.count ?? 0 else { return memory }
            defer { spare.memory = memory }
            return spare.memory
        }
        unwanted?.deallocate()
    }
}
