import CForkBarrier

/// Identifies a process among a program and its fork children; only for comparisons.
///
/// Resources that belong to a thread or a file of the parent carry the generation in which they were created, and are
/// left alone in any other. Unlike a process id, a generation is never reused, and reading it takes no system call.
package struct ForkGeneration: Equatable, Sendable {
    private let number: UInt32

    /// The generation of the calling process.
    package static var current: Self { Self(number: lt_fork_generation()) }
}
