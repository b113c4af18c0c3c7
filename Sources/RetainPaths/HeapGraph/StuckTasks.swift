/// The Tasks of a copy that nothing can resume.
///
/// These await a continuation to which nothing refers, or other Tasks that nothing can resume, such as Tasks that await
/// each other.
struct StuckTasks {
    private var addresses: Set<UInt>

    /// Finds the Tasks.
    ///
    /// - Parameters:
    ///   - lost: The Tasks that await a continuation to which nothing refers.
    ///   - awaited: The Tasks that a Task awaits, by the Task that awaits them; it is not stuck if one of them is not.
    init(lost: some Sequence<UInt>, awaited: [UInt: [UInt]]) {
        let lost = Set(lost)
        addresses = lost
        var waiting: [UInt: [UInt]] = [:]
        for (task, others) in awaited where !others.isEmpty {
            addresses.insert(task)
            for other in others { waiting[other, default: []].append(task) }
        }
        // All of these Tasks count as stuck until a Task that is not stuck is found behind them.
        var ending = waiting.keys.filter { !addresses.contains($0) }
        while let task = ending.popLast() {
            for other in waiting[task] ?? [] where !lost.contains(other) && addresses.remove(other) != nil {
                ending.append(other)
            }
        }
    }

    /// Whether nothing can resume a Task.
    func contains(_ task: UInt) -> Bool { addresses.contains(task) }
}
