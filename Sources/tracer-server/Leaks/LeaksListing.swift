import TracerBase

/// The leaks of a capture as text.
struct LeaksListing: Sendable {
    let lines: [String]

    init(_ page: WireHeapLeaks, _ process: WireSummary.Process) {
        let certain = page.leaks.filter(\.isCertain)
        let uncertain = page.leaks.filter { !$0.isCertain }
        var lines = [HeapListing.place(page.heap, process), Self.sum(page)]
        for leak in certain { lines += [""] + Self.text(leak) }
        if !uncertain.isEmpty { lines += ["", "May be leaked, or in use out of sight of the search:"] }
        for leak in uncertain { lines += [""] + Self.text(leak) }
        let more = page.total - page.leaks.count
        if more > 0 { lines += ["", "and \(more.grouped) more entr\(more == 1 ? "y" : "ies")"] }
        if let tasks = page.stuckTasks, tasks > 0 { lines += ["", Self.sentence(aboutTasks: tasks)] }
        self.lines = lines
    }

    private static func sum(_ page: WireHeapLeaks) -> String {
        if let obstacle = page.obstacle { return "Leaks were not searched for: \(obstacle)".printable }
        var text = page.cycles == 0 ? "no leaks" : "\(page.cycles.grouped) leak\(page.cycles == 1 ? "" : "s")"
        if page.knownCycles > 0 { text += ", \(page.knownCycles.grouped) of them known" }
        let uncertain = page.leftOut - page.leftOutCertain
        if page.leftOutCertain > 0 { text += "; \(page.leftOutCertain.grouped) more are left out" }
        if uncertain > 0 { text += "; \(uncertain.grouped) that may be in use are left out" }
        if page.leftOut > 0 { text += ", because there are too many different ones" }
        if page.notCompared > 0 {
            text += "; \(page.notCompared.grouped) objects are left out, because there are too many"
        }
        return text
    }

    private static func sentence(aboutTasks count: Int) -> String {
        let (tasks, them) = count == 1 ? ("1 Task", "it") : ("\(count.grouped) Tasks", "them")
        return "Nothing can resume \(tasks). `tracer-server tasks` lists \(them) first."
    }

    private static func text(_ leak: WireHeapLeaks.Leak) -> [String] {
        var lines = leak.text.split(separator: "\n").map { String($0).printable }
        // The server's text does not name a leak that was acknowledged after the capture.
        if let known = leak.known, !leak.text.contains("Known leak") {
            lines.append("  Known leak: \(known.reason)".printable)
        }
        return lines
    }
}
