import CForkBarrier

/// Closes the parent's listening sockets in fork children.
///
/// Otherwise clients could still connect after the parent has stopped, and would wait for a response forever. A child
/// that is forked between the opening of a socket and the creation of this value keeps the socket.
///
/// `@unchecked Sendable` is safe because the pointers are only passed to functions that any thread may call.
struct SocketInheritance: @unchecked Sendable {
    private let files: [OpaquePointer]

    /// Closes the descriptors in each child that is forked until ``end()``; the parent's stay open.
    init(of descriptors: [Int32]) {
        files = descriptors.compactMap { lt_fork_file_close_in_child($0) }
    }

    /// Stops closing the descriptors in fork children.
    ///
    /// Must be called once, when the descriptors are closed.
    func end() {
        for file in files { lt_fork_file_forget(file) }
    }
}
