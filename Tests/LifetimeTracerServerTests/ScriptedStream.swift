import Dispatch
import LifetimeTracer
import LifetimeTracerDashboard
import Patience

/// A stream whose chunks come from a test, and that records the server's calls.
final class ScriptedStream: ResponseStream, LockedState {
    private struct State: LockedState {
        var wake: Action?
        var chunks: [StreamChunk]
        var starts = 0
        var readsAfterEnd = 0
        var ends: [StreamEnd] = []
    }

    private let state: Locked<State>
    private let didWait = DispatchSemaphore(value: 0)
    private let didClose = DispatchSemaphore(value: 0)

    init(_ chunks: StreamChunk...) {
        state = Locked(State(chunks: chunks))
    }

    var starts: Int { state.withLock { $0.starts } }
    /// The reasons with which the stream was closed; there should be one.
    var ends: [StreamEnd] { state.withLock { $0.ends } }
    var readsAfterEnd: Int { state.withLock { $0.readsAfterEnd } }

    func start(wake: @escaping @Sendable () -> Void) {
        state.withLock { state in
            state.wake = Action(wake)
            state.starts += 1
        }
    }

    func read() -> StreamChunk {
        let chunk = state.withLock { state -> StreamChunk in
            if !state.ends.isEmpty { state.readsAfterEnd += 1 }
            return state.chunks.isEmpty ? .wait : state.chunks.removeFirst()
        }
        if chunk == .wait { didWait.signal() }
        return chunk
    }

    func closed(_ reason: StreamEnd) {
        state.withLock { $0.ends.append(reason) }
        didClose.signal()
    }

    /// Adds a chunk and wakes the server.
    func push(_ chunk: StreamChunk) {
        let wake = state.withLock { state in
            state.chunks.append(chunk)
            return state.wake
        }
        wake?()
    }

    /// Wakes the server without a chunk.
    func wakeWithoutChunk() {
        state.withLock { $0.wake }?()
    }

    /// Waits until the stream has told the server to wait.
    func waitUntilReadReturnsWait() -> Bool {
        didWait.wait(timeout: .now() + .seconds(Patience.seconds)) == .success
    }

    /// Waits until the stream is closed, and returns the reason.
    func waitForEnd() -> StreamEnd? {
        guard didClose.wait(timeout: .now() + .seconds(Patience.seconds)) == .success else { return nil }
        return ends.last
    }
}

extension StreamChunk {
    static func text(_ text: String) -> StreamChunk { .bytes(Array(text.utf8)) }
}
