import CRetainPaths
import LifetimeTracer

/// Checks that a search gives correct answers in this process, by planting objects whose holders are known.
///
/// No version of Swift or glibc is refused by its number: a version with another memory layout fails the check. The
/// planted objects are targets of the first search, so the check needs no copy of its own.
enum SelfCheck {
    private struct State: LockedState {
        /// The final result of the check; `nil` while it can still change.
        var known: RetainPaths.Availability?
        var wrongAnswers = 0
        /// The reason for which tasks cannot be listed; `nil` if they can.
        var taskObstacle: String?
    }

    /// The number of wrong answers after which retain paths count as unavailable for good.
    ///
    /// A single wrong answer may be due to what other threads do during the check.
    private static let mostWrongAnswers = 3

    private static let state = Locked(State())

    /// The reason for which the tasks of this process cannot be listed; `nil` if they can.
    ///
    /// Known after the first search that has succeeded.
    static var taskObstacle: String? { state.withLock { $0.taskObstacle } }

    /// Whether searches are available.
    ///
    /// Must be called on the search thread. The first call copies the process and takes some tens of milliseconds.
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

    /// Searches for the targets and, until the check has succeeded, for the planted objects.
    ///
    /// Must be called on the search thread. If there are no targets and the check has been made, it does not search.
    ///
    /// - Throws: ``RetainPathsError``, also if the answer about the planted objects is wrong; or `CancellationError`.
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
        let taskObstacle: String?
        do {
            try HeapAnswer.demandRoom()
            if let obstacle = ProcessTraits.obstacle { throw RetainPathsError.unavailable(reason: obstacle) }
            planted = PlantedObjects()
            defer { planted.undo() }
            (answer, taskObstacle) = try checkingTasks { tasks in
                try HeapAnswer.searchHere(
                    targets.behind(planted.targets), by: askers, options: options, tasks: tasks, observer)
            }
        } catch RetainPathsError.unavailable(let reason) {
            state.withLock { $0.known = .unavailable(reason: reason) }
            throw RetainPathsError.unavailable(reason: reason)
        }
        guard let difference = planted.difference(in: answer) else {
            state.withLock { state in
                state.known = .available
                state.taskObstacle = taskObstacle
            }
            return answer.withoutFirst(planted.targets.count)
        }
        let reason =
            "\(difference). This version of Swift or glibc has an unknown memory layout. "
            + "Report both versions."
        state.withLock { state in
            state.wrongAnswers += 1
            if state.wrongAnswers >= mostWrongAnswers { state.known = .unavailable(reason: reason) }
        }
        throw RetainPathsError.unavailable(reason: reason)
    }

    /// Runs a search in which the copy also describes planted tasks.
    ///
    /// Returns its answer, and the reason for which tasks cannot be listed. Retain paths do not depend on that.
    private static func checkingTasks(
        _ search: (TaskMemory?) throws -> HeapAnswer
    ) rethrows -> (answer: HeapAnswer, taskObstacle: String?) {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        guard let memory = TaskMemory() else { return (try search(nil), "not enough memory for the Tasks.") }
        let planted = PlantedTasks()
        defer { planted.undo() }
        planted.mark(in: memory)
        let answer = try search(memory)
        let obstacle = planted.difference(in: memory).map { difference in
            "the Tasks of this Swift runtime are not readable: \(difference). Report the version of Swift."
        }
        return (answer, obstacle)
        #else
        return (try search(nil), nil)
        #endif
    }
}
