import Dispatch
import LifetimeTracer
import Patience
import RetainPaths
import RetainShapes

/// Captures the heap while a shape is planted, and compares the leaks with the right answer.
enum HeapShapeRun {
    /// The differences between the leaks of the heap and the leaks of the shape.
    ///
    /// The program plants one shape at a time, so the only leak is that of the shape.
    static func mistakes(_ shape: Shape, _ tally: inout Tally) -> [String] {
        switch capture() {
        case .failure(let error): return ["the capture failed: \(error)"]
        case .success(let graph):
            tally.note(graph.cost)
            if let obstacle = graph.leaks.obstacle { return ["leaks were not searched for: \(obstacle)"] }
            let texts = graph.leaks.all.map { "\n" + $0.text(full: true) }.joined()
            return shape.expectation.mismatches(with: graph.leaks).map { $0 + texts }
        }
    }

    /// Captures the heap as the dashboard does, on another thread, while this thread is blocked.
    private static func capture() -> Result<HeapGraph, any Error> {
        let answered = DispatchSemaphore(value: 0)
        let result = Locked<HeapResult?>(nil)
        do {
            try SearchExecutor.shared.detach {
                var options = RetainPaths.Options()
                options.timeout = Patience.limit
                do {
                    let graph = try await HeapGraph.capture(options: options)
                    result.withLock { $0 = HeapResult(result: .success(graph)) }
                } catch {
                    result.withLock { $0 = HeapResult(result: .failure(error)) }
                }
                answered.signal()
            }
        } catch {
            return .failure(error)
        }
        answered.wait()
        guard let result = result.withLock({ $0 }) else { preconditionFailure("it was signalled when it was set") }
        return result.result
    }

    private struct HeapResult: LockedState {
        let result: Result<HeapGraph, any Error>
    }
}
