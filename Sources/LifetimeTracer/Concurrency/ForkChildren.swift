import CForkBarrier
import TracerBase

/// The fork children of this process that run its program on, in a copy of its memory.
///
/// A server and the tracer's threads do not exist in a fork child, so what the child does is not shown anywhere. A
/// child that has started another program does not count, and neither does one of `vfork`, `posix_spawn` or `clone`.
package enum ForkChildren {
    /// Returns the process ids of the children, and of their own fork children.
    ///
    /// At most 256 are known. Before the first fork, the call takes no time. Afterwards it takes about 20 µs for each
    /// child, and it is empty in a fork child.
    package static func running() -> [Int32] {
        #if os(Linux)
        guard lt_fork_has_children(), let own = ProcessStat.fields() else { return [] }
        return (0..<LT_FORK_CHILDREN).compactMap { place in
            let process = lt_fork_child(place)
            guard process != 0 else { return nil }
            if let child = ProcessStat.fields(of: process), isCopy(child, of: own) { return process }
            lt_fork_child_forget(place, process)
            return nil
        }
        #else
        return []
        #endif
    }

    #if os(Linux)
    /// Whether a process still has the stack of the one that it is a copy of.
    ///
    /// Another program has another stack, at a random address. The system does not tell the stack of a process with
    /// other rights; in this case the name of the program decides.
    private static func isCopy(_ child: ProcessStat, of parent: ProcessStat) -> Bool {
        if child.hasEnded { return false }
        // The field `startstack` of proc(5).
        let stack = child.number(28) ?? 0
        return stack == 0 ? child.name == parent.name : stack == parent.number(28)
    }
    #endif
}
