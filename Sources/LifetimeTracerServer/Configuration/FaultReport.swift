import LifetimeTracer
import TracerBase

/// Writes faults to standard error, at a bounded rate so that clients cannot flood it.
enum FaultReport {
    /// Returns a sink that writes at most one fault a second, with the number of faults left out before it.
    static func toStandardError() -> @Sendable (ServerEvent) -> Void {
        let state = Locked(State())
        return { event in
            guard case .fault(let text) = event else { return }
            let now = MonotonicInstant.now
            let left = state.withLock { state -> Int? in
                if let next = state.next, now < next {
                    state.leftOut += 1
                    return nil
                }
                defer { state = State(next: now.advanced(by: .seconds(1)), leftOut: 0) }
                return state.leftOut
            }
            guard let left else { return }
            StandardError.writeLine(text + (left > 0 ? " (\(left) earlier faults were not logged)" : ""))
        }
    }

    private struct State: LockedState {
        var next: MonotonicInstant?
        var leftOut = 0
    }
}
