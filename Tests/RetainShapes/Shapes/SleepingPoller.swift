internal import LifetimeTracer

/// Polls in a task.
final class SleepingPoller: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the planting thread and the poller's task use it.
    private var task: Task<Void, Never>?
    private var count = 0

    @inline(never)
    func poll() -> Task<Void, Never> {
        startByHand {
            while !Task.isCancelled {
                self.count += 1
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }

    @inline(never)
    func start() {
        task = startByHand {
            while !Task.isCancelled {
                self.count += 1
                try? await Task.sleep(for: .seconds(3600))
            }
        }
    }

    func stop() {
        task?.cancel()
        task = nil
    }
}
