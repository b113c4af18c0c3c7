import TracerBase

/// The Tasks of a capture as text.
struct TasksListing: Sendable {
    let lines: [String]

    init(_ page: WireHeapTasks, _ process: WireSummary.Process) {
        var lines = [HeapListing.place(page.heap, process), Self.sum(page)]
        for task in page.tasks { lines += [""] + Self.text(task) }
        let more = page.total - page.tasks.count
        if more > 0 { lines += ["", "and \(more.grouped) more \(more == 1 ? "entry" : "entries")"] }
        self.lines = lines
    }

    private static func sum(_ page: WireHeapTasks) -> String {
        if let obstacle = page.obstacle { return "Tasks are not listed: \(obstacle)".printable }
        let count = page.states.reduce(page.leftOut) { $0 + $1.count }
        var parts = page.states.map { part(of: $0) }
        if page.leftOut > 0 { parts.append("\(page.leftOut.grouped) left out, because there are too many") }
        let head = count == 0 ? "no Tasks" : "\(count.grouped) Task\(count == 1 ? "" : "s")"
        return (head + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))")).printable
    }

    private static func part(of state: WireHeapTasks.Count) -> String {
        let all = "\(state.count.grouped) \(words(for: state.state, isOne: state.count == 1))"
        guard let lost = state.stuck, lost > 0 else { return all }
        let share = lost == state.count ? "" : "\(lost.grouped) of "
        return "\(all) (nothing can resume \(share)\(state.count == 1 ? "it" : "them"))"
    }

    private static func text(_ task: WireHeapTasks.Task) -> [String] {
        var remarks = task.parent.map { ["child of Task \($0)"] } ?? []
        let children = task.children.map { "Task \($0)" }
        if !children.isEmpty { remarks.append("children: \(children.joined(separator: ", "))") }
        if task.cancelled { remarks.append("cancelled") }
        if let alike = task.alike, alike > 0 { remarks.append("\(alike.grouped) more like it") }
        let remark = remarks.isEmpty ? "" : " (\(remarks.joined(separator: "; ")))"
        let label = task.label.map { " \"\($0)\"" } ?? ""
        var lines = ["Task \(task.id)\(label) \(state(of: task))\(remark)"]
        if let name = task.name, task.functions.isEmpty { lines.append("  \(name)") }
        lines += task.functions.enumerated().map { ($0.offset == 0 ? "  " : "  ↳ ") + $0.element }
        if !task.holds.isEmpty { lines.append("  holds \(task.holds.joined(separator: ", "))") }
        return lines.map(\.printable)
    }

    private static func state(of task: WireHeapTasks.Task) -> String {
        switch (task.state, task.awaits) {
        case ("task", let other?), ("child", let other?):
            "awaits \(other)\(task.stuck == true ? ", which nothing can resume" : "")"
        case ("child", nil) where task.stuck == true: "awaits its children, which nothing can resume"
        case ("continuation", _) where task.stuck == true:
            "awaits a continuation that nothing in use refers to, so that nothing can resume the Task"
        case ("actor", let actor?): "waits for its turn on the actor \(actor)"
        case ("ready", let executor?): "waits for a thread of the executor \(executor)"
        default: words(for: task.state, isOne: true)
        }
    }

    /// What Tasks in a state do; the state itself if it is not known.
    private static func words(for state: String, isOne: Bool) -> String {
        switch state {
        case "continuation": isOne ? "awaits a continuation" : "await a continuation"
        case "task": isOne ? "awaits another Task" : "await another Task"
        case "child": isOne ? "awaits its children" : "await their children"
        case "actor": isOne ? "waits for an actor" : "wait for an actor"
        case "suspended": isOne ? "is suspended" : "are suspended"
        case "ready": isOne ? "waits for a thread" : "wait for a thread"
        case "sleep": isOne ? "sleeps" : "sleep"
        case "running": isOne ? "runs" : "run"
        default: state
        }
    }
}
