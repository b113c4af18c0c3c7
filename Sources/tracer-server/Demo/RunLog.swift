import LifetimeTracer
import LifetimeTracerDashboard

/// The runs of all scenarios: those in progress and the last ones of each scenario.
///
/// Not synchronized: ``DemoCatalogue`` keeps the log inside a lock.
struct RunLog: LockedState {
    /// The most runs in progress at a time.
    static let runningLimit = 8
    /// The most runs that are kept for each scenario.
    static let keptLimit = 10
    /// The most steps that are kept for each run.
    static let stepLimit = 100

    private struct Entry: Sendable {
        let id: UInt64
        let form: ScenarioForm
        let startedAt: WallTime
        var finishedAt: WallTime?
        var steps: [String] = []
        var droppedSteps = 0
    }

    private var entries: [String: [Entry]] = [:]
    private var lastID: UInt64 = 0
    private(set) var runningCount = 0

    /// Begins a run and returns its id.
    mutating func begin(_ scenario: String, _ form: ScenarioForm, at time: WallTime) throws(ScenarioError) -> UInt64 {
        guard runningCount < Self.runningLimit else { throw .tooManyRuns(limit: Self.runningLimit) }
        runningCount += 1
        lastID += 1
        var list = entries[scenario] ?? []
        // A run in progress is never removed: fewer runs can be in progress than are kept.
        if list.count >= Self.keptLimit, let oldest = list.firstIndex(where: { $0.finishedAt != nil }) {
            list.remove(at: oldest)
        }
        list.append(Entry(id: lastID, form: form, startedAt: time))
        entries[scenario] = list
        return lastID
    }

    /// Records a step of a run.
    mutating func note(_ step: String, in scenario: String, _ id: UInt64) {
        update(scenario, id) { entry in
            if entry.steps.count < Self.stepLimit { entry.steps.append(step) } else { entry.droppedSteps += 1 }
        }
    }

    /// Ends a run.
    mutating func end(_ scenario: String, _ id: UInt64, at time: WallTime) {
        runningCount -= 1
        update(scenario, id) { $0.finishedAt = time }
    }

    /// Returns the runs of a scenario, oldest first.
    func runs(of scenario: String) -> [ScenarioRun] {
        (entries[scenario] ?? []).map { entry in
            let more = entry.droppedSteps > 0 ? ["(\(entry.droppedSteps.of("further step")))"] : []
            return ScenarioRun(
                id: entry.id, form: entry.form, state: entry.finishedAt == nil ? .running : .done,
                startedAt: entry.startedAt, finishedAt: entry.finishedAt, steps: entry.steps + more)
        }
    }

    /// Returns a run of a scenario, if the run is kept.
    func run(_ id: UInt64, of scenario: String) -> ScenarioRun? {
        runs(of: scenario).first { $0.id == id }
    }

    private mutating func update(_ scenario: String, _ id: UInt64, _ change: (inout Entry) -> Void) {
        guard let position = entries[scenario]?.firstIndex(where: { $0.id == id }) else { return }
        entries[scenario]?.update(at: position, change)
    }
}

extension Array {
    /// Changes an element in place.
    fileprivate mutating func update(at position: Int, _ change: (inout Element) -> Void) {
        change(&self[position])
    }
}
