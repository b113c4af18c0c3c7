import RetainPaths

/// Tasks of a list that differ only in their numbers, and in those of their parents, children, and the Tasks that they
/// await.
struct AlikeTasks: Sendable {
    /// The first of the Tasks.
    let task: HeapGraph.Task
    /// How many more there are.
    var others = 0

    /// The numbers aside, what the list tells of a Task.
    private struct Traits: Hashable {
        let task: HeapGraph.Task
        let hasParent: Bool

        init(_ task: HeapGraph.Task) {
            let awaitsTask = task.awaits.hasPrefix("Task ") && task.awaits.dropFirst(5).allSatisfy(\.isNumber)
            self.task = HeapGraph.Task(
                id: 0, state: task.state, awaits: awaitsTask ? "Task" : task.awaits, isCancelled: task.isCancelled,
                isStuck: task.isStuck, children: task.children.map { _ in 0 }, name: task.name,
                label: task.label, functions: task.functions, isOfProgram: task.isOfProgram, holds: task.holds)
            hasParent = task.parent != nil
        }
    }

    /// One entry for Tasks that are alike, at the place of the first.
    static func folded(_ tasks: [HeapGraph.Task]) -> [Self] {
        var entries: [Self] = []
        var places: [Traits: Int] = [:]
        for task in tasks {
            let traits = Traits(task)
            if let place = places[traits] {
                entries[place].others += 1
            } else {
                places[traits] = entries.count
                entries.append(Self(task: task))
            }
        }
        return entries
    }

    /// The Tasks that are like the one with a number, and that Task; none if there is no such Task.
    static func like(_ id: Int, in tasks: [HeapGraph.Task]) -> [HeapGraph.Task] {
        guard let task = tasks.first(where: { $0.id == id }) else { return [] }
        let traits = Traits(task)
        return tasks.filter { Traits($0) == traits }
    }
}
