import LifetimeTracer
import RetainPaths

/// The searches for what holds the objects of a type of a capture.
///
/// A search starts only on request. The answers contain only names and numbers, so they hold no object of the program.
final class HeapPathSearches: Sendable {
    /// The most searches that run or wait for their turn.
    static let jobLimit = 4
    /// The most answers that are kept.
    static let keptLimit = 32

    private let registry: LifetimeRegistry
    private let capturer: HeapCapturer
    private let table = Locked(HeapPathTable())

    init(_ registry: LifetimeRegistry, _ capturer: HeapCapturer) {
        self.registry = registry
        self.capturer = capturer
    }

    /// Starts a search, or returns the progress or the result of an earlier one.
    ///
    /// Never waits for a search.
    ///
    /// - Parameters:
    ///   - graph: The capture that the question concerns.
    ///   - afresh: Whether to search again although a result is kept.
    func ask(
        _ question: HeapPathQuestion, of graph: HeapGraph, afresh: Bool
    ) throws(TooManyRetainJobs) -> HeapPathAnswer {
        let now = registry.clock.now()
        switch table.withLock({ $0.ask(question, afresh: afresh, at: now) }) {
        case .tell(let answer): return answer
        case .refuse: throw TooManyRetainJobs(limit: Self.jobLimit)
        case .start(let job):
            do throws(RetainPathsError) {
                // Searches do not run on the threads that tasks share; see `HeapCaptures`.
                try SearchExecutor.shared.detach { [self] in await run(question, graph) }
            } catch {
                table.withLock { $0.end(question, .failed(error)) }
            }
            return .working(job)
        }
    }

    private func run(_ question: HeapPathQuestion, _ graph: HeapGraph) async {
        let answer: HeapPathAnswer
        do {
            let paths = try await capturer.paths(graph, question) { [weak self] progress in
                self?.table.withLock { $0.note(progress, of: question) }
            }
            answer = .found(HeapPathFinding(foundAt: registry.clock.now(), paths: paths))
        } catch {
            answer = .failed(error as? RetainPathsError ?? .failed(reason: "\(error)"))
        }
        table.withLock { $0.end(question, answer) }
    }
}
