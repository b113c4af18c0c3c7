import LifetimeTracer
import RetainPaths

extension HeapGraph.Task.State: JSONChoice {}

extension HeapGraph.Task {
    /// The key that identifies the Task in the list of a capture.
    var key: UInt64 { UInt64(id) }
}

/// The wire type of a Task.
struct WireHeapTask: JSONObject {
    let task: HeapGraph.Task
    /// How many other Tasks the entry stands for.
    let alike: Int

    init(_ tasks: AlikeTasks) {
        task = tasks.task
        alike = tasks.others
    }

    static let fields = Field.list {
        Field("id", as: .integer(0...)) { $0.task.id }
        Field("state") { $0.task.state }
        Field("awaits") { $0.task.awaits.isEmpty ? nil : $0.task.awaits }
        Field("cancelled") { $0.task.isCancelled }
        Field("stuck") { $0.task.isStuck }
        Field("parent") { $0.task.parent }
        Field("children") { $0.task.children }
        Field("name") { $0.task.name.isEmpty ? nil : $0.task.name }
        Field("label") { $0.task.label.isEmpty ? nil : $0.task.label }
        Field("functions") { $0.task.functions }
        Field("ofProgram") { $0.task.isOfProgram }
        Field("holds") { $0.task.holds }
        Field("alike", as: .integer(0...)) { $0.alike }
    }
}

/// The wire type of the number of Tasks in a state.
struct WireHeapTaskCount: JSONObject {
    let state: HeapGraph.Task.State
    let count: Int
    /// How many of these Tasks nothing can resume.
    let stuck: Int

    static let fields = Field.list {
        Field("state") { $0.state }
        Field("count", as: .integer(1...)) { $0.count }
        Field("stuck", as: .integer(0...)) { $0.stuck }
    }

    /// The states of Tasks, in the order of the list.
    static func all(of tasks: [HeapGraph.Task]) -> [Self] {
        let tasks = Dictionary(grouping: tasks, by: \.state)
        return HeapGraph.Task.State.allCases.compactMap { state in
            tasks[state].map { tasks in
                Self(state: state, count: tasks.count, stuck: tasks.count { $0.isStuck })
            }
        }
    }
}

/// The wire type of a page of the Tasks of a capture.
struct WireHeapTasks: JSONObject {
    let heap: WireHeap
    let tasks: HeapGraph.Tasks
    let page: Page<WireHeapTask>

    static let fields = Field.list {
        Field("heap") { $0.heap }
        Field("states") { WireHeapTaskCount.all(of: $0.tasks.all) }
        Field("leftOut", as: .integer(0...)) { $0.tasks.leftOut }
        Field("obstacle") { $0.tasks.obstacle }
        Field.page { $0.page }
        Field("tasks") { $0.page.entries }
    }
}
