import LifetimeTracer
import RetainPaths

/// A search from a task that runs on the main thread.
///
/// The program uses no thread of Dispatch, because it may not get one.
enum Question {
    case holder(of: InstanceID)
    /// A capture of the heap.
    case heap

    /// The outcome of the search, as one line.
    func ask() -> String {
        let answer = Locked<String?>(nil)
        let loop = MainLoop()
        Task.detached(executorPreference: loop) {
            let text: String
            do {
                text =
                    switch self {
                    case .holder(let id): Self.judge(try await RetainPaths.explain([id]))
                    case .heap: Self.judge(try await HeapGraph.capture())
                    }
            } catch {
                text = "refused: \(error)"
            }
            answer.withLock { $0 = text }
        }
        while true {
            if let text = answer.withLock({ $0 }) { return text }
            loop.runNext()
        }
    }

    private static func judge(_ report: RetainReport) -> String {
        guard let explanation = report.explanations.first else { return "wrong: no explanation" }
        let text = report.text()
        let isRight =
            explanation.status == .reachable && text.contains("static Held.shared")
            && explanation.explainedReferences == explanation.strongReferences && !text.contains("not certain")
        return isRight ? "right" : "wrong: \(text.split(separator: "\n").joined(separator: " | "))"
    }

    private static func judge(_ graph: HeapGraph) -> String {
        if let obstacle = graph.leaks.obstacle ?? graph.retained.obstacle { return "refused: \(obstacle)" }
        let objects = graph.lines.filter { $0.isOfProgram && ["Held", "Circle"].contains($0.name) }
        let leaks = graph.leaks.cycles.filter(\.isOfProgram)
        let isRight =
            graph.leftOut == nil && objects.count == 2 && objects.allSatisfy { $0.count == 1 }
            && leaks.map(\.name) == ["Circle"] && leaks[0].count == 1
        guard !isRight else { return "right" }
        let found = objects.map { "\($0.count) \($0.name)" }
        let leaked = graph.leaks.all.map { "\($0.count) \($0.name)" }
        return "wrong: found \(found), leaked \(leaked), left out \(graph.leftOut?.count ?? 0)"
    }
}

/// Runs the jobs of tasks on the thread that calls `runNext()`.
final class MainLoop: TaskExecutor {
    private struct State: LockedState {
        var jobs: [UnownedJob] = []
    }

    private let state = Monitor(State())

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { $0.jobs.append(job) }
    }

    /// Waits for a job and runs it.
    func runNext() {
        let job = state.wait { $0.jobs.isEmpty ? .waits(atMost: nil) : .holds($0.jobs.removeFirst()) }
        job.runSynchronously(on: asUnownedTaskExecutor())
    }
}
