import LifetimeTracer

/// Finds out whether a search gives the right answer here: it plants objects of which the answer is known.
///
/// No version of Swift or glibc is refused by number: what lays memory out in another way fails here.
actor SelfCheck {
    /// The one of the process.
    static let shared = SelfCheck()

    private enum State {
        /// By a task of the process that it names; in a child of `fork` nobody is left to finish it.
        case begun(Task<Outcome, Never>, in: ForkGeneration)
        case known(RetainPaths.Availability)
    }

    private struct Outcome: Sendable {
        var availability: RetainPaths.Availability
        /// Whether it would be the same at another time.
        var isFinal: Bool
    }

    private var state: State?

    /// Whether searches can be had.
    ///
    /// The first call takes some tens of milliseconds, a copy of the process among them.
    func availability() async -> RetainPaths.Availability {
        switch state {
        case .known(let availability):
            return availability
        case .begun(let task, .current):
            return await task.value.availability
        case .begun, nil:
            let task = Task.detached(executorPreference: SearchExecutor.shared) { await Self.perform() }
            state = .begun(task, in: .current)
            let outcome = await task.value
            // Neither the task is kept, which a search would find, nor an answer that another time may be another.
            state = outcome.isFinal ? .known(outcome.availability) : nil
            return outcome.availability
        }
    }

    private static func perform() async -> Outcome {
        if let obstacle = ProcessTraits.obstacle {
            return Outcome(availability: .unavailable(reason: obstacle), isFinal: true)
        }
        let planted = PlantedObjects()
        defer { planted.undo() }
        do {
            let answer = try await HeapAnswer.search(planted.targets, by: [], options: RetainPaths.Options())
            if let difference = planted.difference(in: answer) {
                let reason =
                    "\(difference). This build of Swift or glibc lays memory out in a way that is not known. "
                    + "Report the versions of both."
                return Outcome(availability: .unavailable(reason: reason), isFinal: true)
            }
            return Outcome(availability: .available, isFinal: true)
        } catch RetainPathsError.unavailable(let reason) {
            return Outcome(availability: .unavailable(reason: reason), isFinal: true)
        } catch {
            return Outcome(availability: .unavailable(reason: "the check failed: \(error)"), isFinal: false)
        }
    }
}
