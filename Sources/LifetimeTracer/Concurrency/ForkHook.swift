import CForkGate

/// Something that must be held still while the process forks, and is not inside a ``Locked``.
///
/// The functions are called on the forking thread, while no other thread is inside any ``Locked``. They are C functions, so
/// that they capture nothing, and should be no more: in the child no thread but this one exists, so a lock of the system
/// or of Swift's runtime that one of the others held is never released. They may use a ``Locked`` and allocate nothing.
package struct ForkHook {
    /// Takes all locks, or none, and then returns false: the fork starts over a little later.
    ///
    /// Must not wait: whoever has a lock may be waiting for the end of the fork.
    package let take: @convention(c) () -> Bool
    /// Gives back what was taken, in the parent.
    package let giveBack: @convention(c) () -> Void
    /// Gives back what was taken, in the child, and cleans up after the threads that vanished.
    package let giveBackInChild: @convention(c) () -> Void

    /// Creates a hook without effect.
    ///
    /// - Parameters:
    ///   - take: Takes all locks, or none.
    ///   - giveBack: Gives them back in the parent.
    ///   - giveBackInChild: Gives them back in the child.
    package init(
        take: @escaping @convention(c) () -> Bool = { true }, giveBack: @escaping @convention(c) () -> Void = {},
        giveBackInChild: @escaping @convention(c) () -> Void
    ) {
        self.take = take
        self.giveBack = giveBack
        self.giveBackInChild = giveBackInChild
    }

    /// Has the hook called at each `fork` from now on, for the life of the process.
    ///
    /// Traps when there are more than eight: one for each room that needs one is enough.
    package func install() {
        let hook = tracer_fork_hook(take: take, give_back: giveBack, give_back_in_child: giveBackInChild)
        precondition(tracer_fork_add_hook(hook), "more than \(TRACER_FORK_HOOKS) fork hooks")
    }
}
