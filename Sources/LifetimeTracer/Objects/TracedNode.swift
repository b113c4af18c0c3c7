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

    /// Adds a child behind the others, taking it from its parent first if it has one.
    ///
    /// A deadline that was set when the child left its tree is cancelled, and so are those of all below it. A node can be
    /// neither its own child nor a child of one below it: that would be a cycle, and traps.
    public final func addChild(_ child: TracedNode) {
        precondition(!isInSubtree(of: child), "a node cannot be added below itself")
        child.detachFromParent()
        children.append(child)
        child.parent = self
        lifetimeRegistry.setParent(lifetimeID, of: child.lifetimeID)
        child.returnToTree()
    }

    /// Leaves the parent: from now on this node and all below it should be gone within the delay.
    ///
    /// Does nothing for a node without a parent.
    ///
    /// - Parameter delay: How long it may take; by default the registry's ``RegistryConfiguration/leavingDelay``. One that
    ///   makes no sense, negative or over a year, is replaced by that default.
    public final func removeFromParent(expectingDeallocationWithin delay: Duration? = nil) {
        guard parent != nil else { return }
        detachFromParent()
        leaveTree(.removedFromParent, within: delay)
    }

    /// Presents a node, such as a screen over this one, and holds it until it is dismissed.
    ///
    /// A node that is presented already is dismissed first.
    public final func present(_ node: TracedNode) {
        precondition(!isInSubtree(of: node), "a node cannot be presented below itself")
        dismiss()
        node.presenter?.releasePresented()
        presented = node
        node.presenter = self
        lifetimeRegistry.setParent(lifetimeID, of: node.lifetimeID)
        node.returnToTree()
    }

    /// Dismisses the node that this one presents, with all below it: they should be gone within the delay.
    ///
    /// Does nothing when nothing is presented.
    ///
    /// - Parameter delay: How long it may take; by default the registry's ``RegistryConfiguration/leavingDelay``.
    public final func dismiss(expectingDeallocationWithin delay: Duration? = nil) {
        guard let node = presented else { return }
        releasePresented()
        node.leaveTree(.dismissed, within: delay)
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

    private func detachFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        lifetimeRegistry.setParent(nil, of: lifetimeID)
    }

    private func releasePresented() {
        guard let node = presented else { return }
        presented = nil
        node.presenter = nil
        lifetimeRegistry.setParent(nil, of: node.lifetimeID)
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
