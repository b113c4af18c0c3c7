import CRetainPaths

/// The memory that the program and two frozen copies share for leaks.
///
/// `@unchecked Sendable` is safe: a copy writes the memory while the search thread waits, and only the search thread
/// reads it.
final class LeakMemory: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<rp_leaks>

    /// `nil` if there is too little memory.
    init?() {
        guard let pointer = rp_make_leaks() else { return nil }
        self.pointer = pointer
    }

    deinit {
        // `pointer` was made by `rp_make_leaks` in the initializer.
        rp_free_leaks(pointer)
    }

    /// The look that the next copy takes.
    func prepare(for look: rp_look) { pointer.pointee.look = UInt32(look.rawValue) }

    /// The number of objects that the first look has noted.
    var notedCount: Int { Int(pointer.pointee.noted_count) }
    /// The number of objects that the first look has found, but for which it had no room.
    var notNoted: Int { Int(clamping: pointer.pointee.not_noted) }
    /// The leaks for which the second look had no room.
    var leftOut: rp_leak { pointer.pointee.left_out }
    /// The number of cycles among them.
    var leftOutCycles: UInt64 { pointer.pointee.left_out_cycles }

    /// The leaks that the second look has found, in the order of the findings, each with its victims.
    var leaks: [(leak: rp_leak, victims: [rp_victims])] {
        // Safe: the accessors return pointers into the memory, which `self` keeps, for each index below `count`, and to
        // at least `victim_type_count` entries.
        withExtendedLifetime(self) {
            (0..<pointer.pointee.count).compactMap { index in
                rp_leak_at(pointer, index).map { leak in
                    let victims = UnsafeBufferPointer(
                        start: rp_victims_of(leak), count: Int(leak.pointee.victim_type_count))
                    return (leak.pointee, Array(victims))
                }
            }
        }
    }
}
