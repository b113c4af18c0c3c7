/// A traced object in a tree: a screen, a coordinator, a flow.
///
/// A node that leaves the tree, because it is removed from its parent, because its root-most parent is dismissed or because
/// its parent has gone, should soon be gone itself, and so should all below it: leaving sets a deadline for each by itself
/// and coming back cancels it. A node that is kept on purpose, such as a cached tab, is exempted with
/// ``exemptFromLeavingDeadline(because:)``.
///
/// A parent holds its children strongly, a child its parent weakly. The tree has no lock: use it from one isolation domain,
/// as a tree of screens is used on the main actor.
open class TracedNode: TracedObject {
    /// The node that holds this one.
    public private(set) final weak var parent: TracedNode?
    /// The nodes that this one holds, in the order in which they were added.
    public private(set) final var children: [TracedNode] = []
    /// The node that presents this one.
    public private(set) final weak var presenter: TracedNode?
    /// The node that this one presents.
    public private(set) final var presented: TracedNode?

    /// Adds a child behind the others, taking it first from the node that holds or presents it, if there is one.
    ///
    /// A deadline that was set when the child left its tree is cancelled, and so are those of all below it. A node can be
    /// neither its own child nor a child of one below it: that would be a cycle, and traps.
    public final func addChild(_ child: TracedNode) {
        precondition(!isInSubtree(of: child), "a node cannot be added below itself")
        child.detach()
        children.append(child)
        child.parent = self
        child.lifetimeRegistry.setParent(lifetime, of: child.lifetimeID)
        child.returnToTree()
    }

    /// Leaves the parent: from now on this node and all below it should be gone within ``RegistryConfiguration/leavingDelay``.
    ///
    /// Does nothing for a node without a parent.
    public final func removeFromParent() {
        leaveParent(within: nil)
    }

    /// Leaves the parent: from now on this node and all below it should be gone within the delay.
    ///
    /// - Parameter delay: How long it may take, from 0 seconds to 365 days.
    /// - Throws: ``TracerError`` for a delay that makes no sense; then the node stays where it is.
    public final func removeFromParent(expectingDeallocationWithin delay: Duration) throws(TracerError) {
        leaveParent(within: try Delay.validated(delay))
    }

    /// Presents a node, such as a screen over this one, and holds it until it is dismissed.
    ///
    /// A node that this one presents already is dismissed first. The new one is taken from the node that holds or presents it,
    /// if there is one.
    public final func present(_ node: TracedNode) {
        precondition(!isInSubtree(of: node), "a node cannot be presented below itself")
        if presented !== node { dismiss() }
        node.detach()
        presented = node
        node.presenter = self
        node.lifetimeRegistry.setParent(lifetime, of: node.lifetimeID)
        node.returnToTree()
    }

    /// Dismisses the node that this one presents, with all below it: they should be gone within
    /// ``RegistryConfiguration/leavingDelay``.
    ///
    /// Does nothing when nothing is presented.
    public final func dismiss() {
        dismissPresented(within: nil)
    }

    /// Dismisses the node that this one presents, with all below it: they should be gone within the delay.
    ///
    /// - Parameter delay: How long it may take, from 0 seconds to 365 days.
    /// - Throws: ``TracerError`` for a delay that makes no sense; then nothing is dismissed.
    public final func dismiss(expectingDeallocationWithin delay: Duration) throws(TracerError) {
        dismissPresented(within: try Delay.validated(delay))
    }

    /// Keeps this node without a deadline when it leaves its tree; those below it still get theirs.
    ///
    /// A deadline that is running is cancelled.
    ///
    /// - Parameter reason: Why it is kept, in words for people.
    public final func exemptFromLeavingDeadline(because reason: String) {
        lifetimeRegistry.setExemption(reason, of: lifetimeID)
        lifetimeRegistry.cancelLeavingDeadlines(of: lifetimeID)
    }

    /// Ends the exemption: the next time this node leaves its tree it gets a deadline again.
    public final func endExemption() {
        lifetimeRegistry.setExemption(nil, of: lifetimeID)
    }

    private func leaveParent(within delay: Duration?) {
        guard parent != nil else { return }
        detach()
        leaveTree(.removedFromParent, within: delay)
    }

    private func dismissPresented(within delay: Duration?) {
        guard let node = presented else { return }
        node.detach()
        node.leaveTree(.dismissed, within: delay)
    }

    /// Leaves whichever node holds this one: a node is held by one other at most, as its child or presented by it.
    private func detach() {
        guard let holder = parent ?? presenter else { return }
        holder.children.removeAll { $0 === self }
        if holder.presented === self { holder.presented = nil }
        parent = nil
        presenter = nil
        lifetimeRegistry.setParent(nil, of: lifetimeID)
    }

    private func isInSubtree(of root: TracedNode) -> Bool {
        var node: TracedNode? = self
        while let current = node {
            if current === root { return true }
            node = current.parent ?? current.presenter
        }
        return false
    }

    private func leaveTree(_ way: DeadlineCause.WayOut, within delay: Duration?) {
        forEachInSubtree { $0.lifetimeRegistry.expectGone($0.lifetimeID, afterLeaving: way, within: delay) }
    }

    private func returnToTree() {
        forEachInSubtree { $0.lifetimeRegistry.cancelLeavingDeadlines(of: $0.lifetimeID) }
    }

    private func forEachInSubtree(_ visit: (TracedNode) -> Void) {
        var waiting: [TracedNode] = [self]
        while let node = waiting.popLast() {
            visit(node)
            waiting += node.children
            if let presented = node.presented { waiting.append(presented) }
        }
    }
}
