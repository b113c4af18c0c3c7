import LifetimeTracer
import RetainPaths

/// A search from a task that runs on the main thread.
///
/// The program uses no thread of Dispatch, because it may not get one.
enum Question {
    /// The outcome of the search, as one line.
    static func ask(about id: InstanceID) -> String {
        let answer = Locked<String?>(nil)
        let loop = MainLoop()
        Task.detached(executorPreference: loop) {
            let text: String
            do {
                text = judge(try await RetainPaths.explain([id]))
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

    static func judge(_ report: RetainReport) -> String {
        guard let explanation = report.explanations.first else { return "wrong: no explanation" }
        let text = report.text()
        let isRight =
            explanation.status == .reachable && text.contains("static Held.shared")
            && explanation.explainedReferences == explanation.strongReferences && !text.contains("not certain")
        return isRight ? "right" : "wrong: \(text.split(separator: "\n").joined(separator: " | "))"
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
