import CForkGate

/// Sees to it that a child of `fork` does not keep a socket open on which its parent listens.
///
/// Otherwise clients could still connect when the parent has long stopped, and wait for an answer for ever. A child
/// that is forked between the opening of the socket and this keeps it.
///
/// `@unchecked Sendable` is safe because the pointers are only handed on, to functions that any thread may call.
struct SocketInheritance: @unchecked Sendable {
    private let files: [OpaquePointer]

    /// Has the descriptors closed in each child that is forked until ``end()``; the parent's stay open.
    init(of descriptors: [Int32]) {
        files = descriptors.compactMap { tracer_fork_file_close_in_child($0) }
    }

    /// To be called once, when the descriptors are closed.
    func end() {
        for file in files { tracer_fork_file_forget(file) }
    }
}
