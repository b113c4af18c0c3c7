import LifetimeTracer

/// Finds out whether a search gives the right answer here: it plants objects of which the answer is known.
///
/// No version of Swift or glibc is refused by number: what lays memory out in another way fails here.
enum SelfCheck {
    private struct State: LockedState {
        /// What does not change any more.
        var known: RetainPaths.Availability?
        var wrongAnswers = 0
    }

    private struct Outcome: Sendable {
        var availability: RetainPaths.Availability
        /// Whether it would be the same at another time.
        var isFinal = false
        var isWrongAnswer = false
    }

    /// A wrong answer may be due to what happens beside the check: it is believed for good when it comes this often.
    private static let mostWrongAnswers = 3

    private static let state = Locked(State())

    /// Whether searches can be had.
    ///
    /// To be called on the thread of the searches. The first call takes some tens of milliseconds, a copy of the process among them.
    static func availability(_ isCancelled: @escaping @Sendable () -> Bool) -> RetainPaths.Availability {
        if let known = state.withLock({ $0.known }) { return known }
        let outcome = perform(isCancelled)
        state.withLock { state in
            if outcome.isWrongAnswer { state.wrongAnswers += 1 }
            let isFinal = outcome.isFinal || state.wrongAnswers >= mostWrongAnswers
            if isFinal { state.known = outcome.availability }
        }
        return outcome.availability
    }

    private static func perform(_ isCancelled: @escaping @Sendable () -> Bool) -> Outcome {
        do {
            try HeapAnswer.demandRoom()
            if let obstacle = ProcessTraits.obstacle {
                return Outcome(availability: .unavailable(reason: obstacle), isFinal: true)
            }
            let planted = PlantedObjects()
            defer { planted.undo() }
            let answer = try HeapAnswer.searchHere(
                planted.targets, by: [], options: RetainPaths.Options(), SearchObserver(isCancelled: isCancelled))
            guard let difference = planted.difference(in: answer) else {
                return Outcome(availability: .available, isFinal: true)
            }
            let reason =
                "\(difference). This build of Swift or glibc lays memory out in a way that is not known. "
                + "Report the versions of both."
            return Outcome(availability: .unavailable(reason: reason), isWrongAnswer: true)
        } catch RetainPathsError.unavailable(let reason) {
            return Outcome(availability: .unavailable(reason: reason), isFinal: true)
        } catch RetainPathsError.failed(let reason) {
            return Outcome(availability: .unavailable(reason: reason))
        } catch {
            return Outcome(availability: .unavailable(reason: "the check failed: \(error)"))
        }
    }
}
