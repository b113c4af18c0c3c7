import LifetimeTracer

/// Whether the program has closed the server's descriptors, as a program does that closes all of its descriptors.
///
/// Their numbers may then belong to files of the program. libmicrohttpd does not notice: its thread would spin, abort
/// the program when it closes a connection that is closed already, or close a file of the program. So that thread
/// sleeps until the program ends, and nothing of the server is released.
final class DescriptorLoss: Sendable {
    private let state = Locked(false)

    /// Whether ``notice()`` has been called.
    var isNoticed: Bool { state.withLock { $0 } }

    /// Records the loss.
    func notice() {
        state.withLock { $0 = true }
    }
}
