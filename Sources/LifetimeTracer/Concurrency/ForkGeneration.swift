import CForkGate

/// Which process this is, among a program and the children that it forked; only to be compared.
///
/// What belongs to a thread or a file of the parent carries the generation in which it was made, and is left alone in any
/// other. Unlike a process id, a generation is not given out again, and reading it is no system call.
package struct ForkGeneration: Equatable, Sendable {
    private let number: UInt32

    /// The generation of the process that asks.
    package static var current: Self { Self(number: tracer_fork_generation()) }
}
