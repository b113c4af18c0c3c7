/// A traced object in a tree: a screen, a coordinator, a flow.
///
/// A node leaves its tree when it, or a node above it, is removed from its parent or dismissed, or when its parent is
/// deallocated. A node that has left should soon be deallocated itself: leaving sets a deadline for the node, and
/// returning to a tree cancels the deadline. To keep a node on purpose, such as a cached tab, call
/// ``exemptFromLeavingDeadline(because:)``.
///
/// A parent holds its children strongly; a child holds its parent weakly. The tree has no lock: use it from one
/// isolation domain, as you would use a tree of screens on the main actor.
open class TracedNode: TracedObject {
    /// The parent, which holds this node strongly.
    public private(set) final weak var parent: TracedNode?
    /// The children, in the order in which they were added.
    public private(set) final var children: [TracedNode] = []
    /// The node that presents this one.
    public private(set) final weak var presenter: TracedNode?
    /// The node that this one presents.
    public private(set) final var presented: TracedNode?

    /// Appends a child, after detaching it from the node that holds or presents it now.
    ///
    /// Adding cancels the deadlines that the child and the nodes below it got when they left their tree. Adding a node
    /// to itself or to one of its descendants would make a cycle and traps.
    public final func addChild(_ child: TracedNode) {
        precondition(!isInSubtree(of: child), "a node cannot be added below itself")
        child.detach()
        children.append(child)
        child.parent = self
        child.lifetimeRegistry.setParent(lifetime, of: child.lifetimeID)
        child.returnToTree()
    }

    /// Removes this node from its parent; it and every node below it should be deallocated within
    /// ``RegistryConfiguration/leavingDelay``.
    ///
    /// Does nothing if the node has no parent.
    public final func removeFromParent() {
        leaveParent(within: nil)
    }

    /// Removes this node from its parent; it and every node below it should be deallocated within the delay.
    ///
    /// - Parameter delay: The time allowed for deallocation, from 0 seconds to 365 days.
    /// - Throws: ``TracerError`` if the delay is out of range; the node then keeps its parent.
    public final func removeFromParent(expectingDeallocationWithin delay: Duration) throws(TracerError) {
        leaveParent(within: try Delay.validated(delay))
    }

    /// Presents a node, such as a screen over this one, and holds it until it is dismissed.
    ///
    /// If this node presents another node, that one is dismissed first. The new node is detached from the node that
    /// holds or presents it now.
    public final func present(_ node: TracedNode) {
        precondition(!isInSubtree(of: node), "a node cannot be presented below itself")
        if presented !== node { dismiss() }
        node.detach()
        presented = node
        node.presenter = self
        node.lifetimeRegistry.setParent(lifetime, of: node.lifetimeID)
        node.returnToTree()
    }

    /// Dismisses the node that this one presents; it and every node below it should be deallocated within
    /// ``RegistryConfiguration/leavingDelay``.
    ///
    /// Does nothing if this node presents none.
    public final func dismiss() {
        dismissPresented(within: nil)
    }

    /// Dismisses the node that this one presents; it and every node below it should be deallocated within the delay.
    ///
    /// - Parameter delay: The time allowed for deallocation, from 0 seconds to 365 days.
    /// - Throws: ``TracerError`` if the delay is out of range; the node then stays presented.
    public final func dismiss(expectingDeallocationWithin delay: Duration) throws(TracerError) {
        dismissPresented(within: try Delay.validated(delay))
    }

    /// Exempts this node from the deadline for leaving its tree; the nodes below it still get theirs.
    ///
    /// Cancels the leaving deadline of this node if one is in force.
    ///
    /// - Parameter reason: A human-readable reason for keeping the node.
    public final func exemptFromLeavingDeadline(because reason: String) {
        lifetimeRegistry.setExemption(reason, of: lifetimeID)
        lifetimeRegistry.cancelLeavingDeadlines(of: lifetimeID)
    }

    /// Removes the exemption; the next time this node leaves its tree it gets a deadline again.
    public final func removeExemption() {
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

    /// Detaches this node from its parent or presenter, which is the only node that holds it.
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
