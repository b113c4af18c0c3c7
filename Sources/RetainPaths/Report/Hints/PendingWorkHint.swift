/// The wording for closures that a queue, a group or an operation will run once.
extension HintFinder {
    /// The hint for a closure that is work to be done; `nil` if nothing before the closure says so.
    func pendingWork(_ closure: Int) -> RetainHint? {
        let before = path.nodes[..<closure].filter { $0.role != .block(.closure) && !$0.isFolded }
        guard let holder = before.last else { return nil }
        if before.contains(where: { $0.name == BlockName.channel }) {
            return work(closure, of: BlockName.channel, ". The channel runs its cleanup handler when it is closed")
        }
        switch (holder.name, holder.type) {
        case (BlockName.queue, _):
            return work(
                closure, of: BlockName.queue,
                ". The queue gives up the closure when it has run it. Resume the queue if it is suspended, or activate "
                    + "it if it was created inactive")
        case (BlockName.group, _) where path.nodes[..<closure].contains { $0.type == "Dispatch.DispatchWorkItem" }:
            return work(
                closure, of: "\(BlockName.group) of a work item",
                ". The closure runs when the work item has run. Run the item, or give it up")
        case (BlockName.group, _):
            return group(closure)
        case _ where holder.members.contains("__completion"):
            return captured(
                .hubCapture, closure, kept: "An operation keeps its completion block,",
                remedy: ", and set the block to nil when \(gone) is no longer needed")
        case (_, "Foundation.BlockOperation"), (_, "Foundation.Operation"):
            return captured(
                .hubCapture, closure, kept: "An operation keeps",
                remedy: ", and cancel the operation when \(gone) is no longer needed. A suspended queue keeps it until "
                    + "the queue is resumed")
        case (_, "Dispatch.DispatchWorkItem"):
            return captured(
                .hubCapture, closure, kept: "A work item keeps",
                remedy: ", and give up the work item when \(gone) is no longer needed. A cancelled item keeps its "
                    + "closure, too")
        default: return nil
        }
    }

    /// The hint for a closure in a cycle that a group is to run; `nil` if no group holds it.
    func pendingGroup(_ closure: Int) -> RetainHint? {
        let holder = path.nodes[..<closure].last { $0.role != .block(.closure) && !$0.isFolded }
        return holder?.name == BlockName.group ? group(closure) : nil
    }

    private func group(_ closure: Int) -> RetainHint {
        work(closure, of: BlockName.group, ". The group runs the closure when each enter() has its leave()")
    }

    private func work(_ closure: Int, of holder: String, _ remedy: String) -> RetainHint {
        captured(.hubCapture, closure, kept: "A \(holder) keeps", remedy: remedy)
    }
}
