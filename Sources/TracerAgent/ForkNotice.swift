import LifetimeTracer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Says on standard error, once, that fork children of the program have no page.
enum ForkNotice {
    private struct State: LockedState {
        var before: Set<Int32> = []
        var isGiven = false
    }

    /// Looks for fork children once a second from now on, until there is one.
    static func plan() {
        let state = Locked(State())
        _ = LifetimeRegistry.shared.observeSamples {
            guard !state.withLock({ $0.isGiven }) else { return }
            let children = ForkChildren.running()
            let toName = state.withLock { state in
                // A child that is about to start another program is not met twice.
                let lasting = children.filter(state.before.contains)
                state.before = Set(children)
                state.isGiven = !lasting.isEmpty
                return lasting
            }
            if !toName.isEmpty { StandardError.writeLine(text(naming: toName)) }
        }
    }

    private static func text(naming children: [Int32]) -> String {
        let named = children.prefix(3).map(String.init).joined(separator: ", ")
        let others = children.count > 3 ? " and \((children.count - 3).counted("other"))" : ""
        return "the program has forked; its fork children have no page, and are not shown on that of process "
            + "\(getpid()): \(named)\(others)"
    }
}
