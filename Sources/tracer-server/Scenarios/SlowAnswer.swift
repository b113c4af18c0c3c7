import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard

/// A response body of one line that is sent after a delay.
final class SlowAnswer: ResponseStream {
    private enum Phase: Sendable {
        case waiting
        case due
        case sent
    }

    private struct State: LockedState {
        var phase = Phase.waiting
        var wake: Action?
    }

    private let delay: DispatchTimeInterval?
    private let onClose: @Sendable (SlowAnswer, StreamEnd) -> Void
    private let state = Locked(State())

    /// Creates a response body.
    ///
    /// - Parameters:
    ///   - delay: The delay; `nil` to send the line only after ``finish()`` is called.
    ///   - onClose: Called once when the stream ends, for any reason.
    init(after delay: DispatchTimeInterval?, onClose: @escaping @Sendable (SlowAnswer, StreamEnd) -> Void) {
        self.delay = delay
        self.onClose = onClose
    }

    /// Sends the line now.
    func finish() {
        let wake = state.withLock { state in
            if state.phase == .waiting { state.phase = .due }
            return state.wake
        }
        wake?()
    }

    func start(wake: @escaping @Sendable () -> Void) {
        state.withLock { $0.wake = Action(wake) }
        guard let delay else { return }
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { [weak self] in self?.finish() }
    }

    func read() -> StreamChunk {
        state.withLock { state in
            switch state.phase {
            case .waiting:
                return .wait
            case .due:
                state.phase = .sent
                return .bytes(Array("done\n".utf8))
            case .sent:
                return .end
            }
        }
    }

    func closed(_ reason: StreamEnd) {
        state.withLock { $0.wake = nil }
        onClose(self, reason)
    }
}
