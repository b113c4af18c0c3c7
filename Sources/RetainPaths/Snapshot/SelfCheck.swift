import CRetainPaths
import LifetimeTracer

/// Finds out whether a search gives the right answer here: it plants objects of which the answer is known.
///
/// No version of Swift or glibc is refused by number: what lays memory out in another way fails here. What is planted is searched for in the
/// same copies as what the first question is about, so that the check costs no copy of its own.
enum SelfCheck {
    private struct State: LockedState {
        /// What does not change any more.
        var known: RetainPaths.Availability?
        var wrongAnswers = 0
    }

    /// A wrong answer may be due to what happens beside the check: it is believed for good when it comes this often.
    private static let mostWrongAnswers = 3

    private static let state = Locked(State())

    /// Whether searches can be had.
    ///
    /// To be called on the thread of the searches. The first call takes some tens of milliseconds, a copy of the process among them.
    static func availability(_ isCancelled: @escaping @Sendable () -> Bool) -> RetainPaths.Availability {
        let observer = SearchObserver(isCancelled: isCancelled)
        do {
            _ = try search(.carriedWords([]), by: [], RetainPaths.Options(), observer)
            return .available
        } catch RetainPathsError.unavailable(let reason) {
            return .unavailable(reason: reason)
        } catch RetainPathsError.failed(let reason) {
            return .unavailable(reason: reason)
        } catch {
            return .unavailable(reason: "the check failed: \(error)")
        }
    }

    /// Searches, the first time for what is planted as well.
    ///
    /// To be called on the thread of the searches. Nothing is searched for where there are no targets and the check has been made.
    ///
    /// - Throws: ``RetainPathsError``, also where the answer about what is planted is wrong; or `CancellationError`.
    static func search(
        _ targets: HeapQuestion.Targets, by askers: [AskingTask], _ options: RetainPaths.Options,
        _ observer: SearchObserver
    ) throws -> HeapAnswer {
        switch state.withLock({ $0.known }) {
        case .unavailable(let reason)?: throw RetainPathsError.unavailable(reason: reason)
        case .available? where targets.count == 0: return HeapAnswer()
        case .available?: return try HeapAnswer.searchHere(targets, by: askers, options: options, observer)
        case nil: return try searchAndCheck(targets, by: askers, options, observer)
        }
    }

    private static func searchAndCheck(
        _ targets: HeapQuestion.Targets, by askers: [AskingTask], _ options: RetainPaths.Options,
        _ observer: SearchObserver
    ) throws -> HeapAnswer {
        let planted: PlantedObjects
        let answer: HeapAnswer
        do {
            try HeapAnswer.demandRoom()
            if let obstacle = ProcessTraits.obstacle { throw RetainPathsError.unavailable(reason: obstacle) }
            planted = PlantedObjects()
            defer { planted.undo() }
            answer = try HeapAnswer.searchHere(targets.behind(planted.targets), by: askers, options: options, observer)
        } catch RetainPathsError.unavailable(let reason) {
            state.withLock { $0.known = .unavailable(reason: reason) }
            throw RetainPathsError.unavailable(reason: reason)
        }
        guard let difference = planted.difference(in: answer) else {
            state.withLock { $0.known = .available }
            return answer.withoutFirst(planted.targets.count)
        }
        let reason =
            "\(difference). This build of Swift or glibc lays memory out in a way that is not known. "
            + "Report the versions of both."
        state.withLock { state in
            state.wrongAnswers += 1
            if state.wrongAnswers >= mostWrongAnswers { state.known = .unavailable(reason: reason) }
        }
        throw RetainPathsError.unavailable(reason: reason)
    }
}
