import CRetainPaths

/// The memory that the program and a frozen copy share for retained sizes.
///
/// `@unchecked Sendable` is safe: the copy writes the memory while the search thread waits, and only the search thread
/// reads it.
final class RetainedMemory: @unchecked Sendable {
    let pointer: UnsafeMutablePointer<rp_retained>

    /// `nil` if there is too little memory.
    init?() {
        guard let pointer = rp_make_retained() else { return nil }
        self.pointer = pointer
    }

    deinit {
        // `pointer` was made by `rp_make_retained` in the initializer.
        rp_free_retained(pointer)
    }

    /// The groups of the tree, the largest first.
    var groups: [rp_retained_group] {
        // Safe: `group_count` is at most the number of groups in the memory, which `self` keeps.
        withExtendedLifetime(self) {
            Array(UnsafeBufferPointer(start: rp_retained_groups(pointer), count: Int(pointer.pointee.group_count)))
        }
    }

    /// All lines with at least one block, each with its index, to which the groups refer.
    var lines: [(index: Int, line: rp_census_line)] {
        // Safe: `line_count` is at most the number of lines in the memory, which `self` keeps.
        withExtendedLifetime(self) {
            let census = pointer.pointer(to: \.census)
            let lines = UnsafeBufferPointer(
                start: census.flatMap { rp_census_lines($0) }, count: Int(pointer.pointee.census.line_count))
            return lines.enumerated().filter { $0.element.count > 0 }.map { ($0.offset, $0.element) }
        }
    }
}
