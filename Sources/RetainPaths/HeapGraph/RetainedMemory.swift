import CRetainPaths
import TracerBase

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

    /// Asks for the bytes that an object retains; returns `false` if too many objects are asked for already.
    ///
    /// - Parameter address: The address of the object, inverted bit by bit.
    func ask(_ address: UInt64) -> Bool { rp_measure_object(pointer, address) }

    /// The bytes of the objects that were asked for; 0 for an object that no root reaches.
    var askedBytes: [Int] {
        withExtendedLifetime(self) {
            (0..<pointer.pointee.measured_count).map { Int(clamping: rp_measured_bytes(pointer, $0)) }
        }
    }

    /// Whether the copy has computed the retained sizes.
    var isDone: Bool { rp_retained_state(pointer.pointee.state) == RP_RETAINED_DONE }

    /// The reason for which the copy has not computed the retained sizes.
    var obstacle: String {
        let error = pointer.pointee.error
        return error == 0
            ? "The memory limit does not suffice for retained sizes. Raise RetainPaths.Options.memoryLimit."
            : "not enough memory for retained sizes: \(SystemError(error)). \(ProcessLimits.memory)"
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
