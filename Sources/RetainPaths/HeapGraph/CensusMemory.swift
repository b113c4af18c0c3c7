import CRetainPaths

/// The memory that the program and a frozen copy share for a census.
///
/// `@unchecked Sendable` is safe: the copy writes the memory while the search thread waits, and only the search thread
/// reads it.
final class CensusMemory: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<rp_census>

    /// `nil` if there is too little memory.
    init?() {
        guard let pointer = rp_make_census() else { return nil }
        self.pointer = pointer
    }

    deinit {
        // `pointer` was made by `rp_make_census` in the initializer.
        rp_free_census(pointer)
    }

    /// The lines with at least one block.
    var lines: [Census.Line] {
        // Safe: `line_count` is at most the number of lines in the memory, which `self` keeps.
        let lines = UnsafeBufferPointer(start: rp_census_lines(pointer), count: Int(pointer.pointee.line_count))
        return withExtendedLifetime(self) {
            lines.compactMap { $0.count == 0 ? nil : Census.Line($0) }
        }
    }
}
