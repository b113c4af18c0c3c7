import LifetimeTracer
import LifetimeTracerDashboard

/// The demo's scenarios and their runs.
final class DemoCatalogue: ScenarioCatalogue {
    private let registry: LifetimeRegistry
    private let slowService: SlowService
    private let known: [Scenario]
    private let log = Locked(RunLog())

    /// Creates a catalogue.
    ///
    /// - Parameters:
    ///   - registry: The registry that traces the scenarios' objects.
    ///   - slowService: The service for the scenarios' requests.
    ///   - known: The scenarios.
    init(registry: LifetimeRegistry, slowService: SlowService, known: [Scenario] = Scenario.all) {
        self.registry = registry
        self.slowService = slowService
        self.known = known
    }

    func scenarios() -> [ScenarioInfo] {
        let log = log.withLock { $0 }
        return known.map { scenario in
            ScenarioInfo(
                name: scenario.name, title: scenario.title, story: scenario.story,
                resultView: scenario.resultView, forms: scenario.forms, runs: log.runs(of: scenario.name))
        }
    }

    func play(_ name: String, form: ScenarioForm) throws(ScenarioError) -> ScenarioRun {
        try start(name, form: form).run
    }

    /// Plays scenarios, as many at a time as the limit permits, and returns when all runs have ended.
    func playAll(_ plays: [Play]) async {
        await withTaskGroup { group in
            for play in plays {
                group.addTask { await self.playWhenThereIsRoom(play) }
            }
        }
    }

    private func playWhenThereIsRoom(_ play: Play) async {
        while !Task.isCancelled {
            do throws(ScenarioError) {
                try await start(play.name, form: play.form).task.value
                return
            } catch .tooManyRuns {
                try? await Task.sleep(for: .milliseconds(50))
            } catch {
                preconditionFailure("a scenario of the parsed command line was refused: \(error)")
            }
        }
    }

    /// Starts a run and returns it with its task, which ends with the run.
    private func start(
        _ name: String, form: ScenarioForm
    ) throws(ScenarioError) -> (run: ScenarioRun, task: Task<Void, Never>) {
        guard let scenario = known.first(where: { $0.name == name }) else { throw .unknownScenario(name) }
        let startedAt = registry.clock.wallNow()
        let id = try log.withLock { log throws(ScenarioError) in try log.begin(name, form, at: startedAt) }
        guard let run = log.withLock({ $0.run(id, of: name) }) else {
            preconditionFailure("the log has lost run \(id) of \(name), which has just begun")
        }
        let stage = Stage(registry: registry, slowService: slowService) { [log] step in
            log.withLock { $0.note(step, in: name, id) }
        }
        let task = Task { @MainActor [registry, log] in
            do {
                try await registry.withCurrent { try await scenario.play(form, stage) }
            } catch {
                stage.note("failed: \(error)")
            }
            let finishedAt = registry.clock.wallNow()
            log.withLock { $0.end(name, id, at: finishedAt) }
        }
        return (run, task)
    }
}

/// A scenario and a form to play, as an option names them: `keyboard-observer:leaking`.
struct Play: Sendable, Equatable {
    let name: String
    let form: ScenarioForm
}
