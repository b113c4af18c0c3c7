import LifetimeTracer

@testable import LifetimeTracerDashboard
@testable import RetainPaths

extension HeapCapturer {
    /// A capturer for a machine on which the process cannot be copied.
    static let unavailable = Self(
        capture: { _ in throw RetainPathsError.unavailable(reason: "there is no heap in a test.") },
        paths: { _, _, _ in throw RetainPathsError.unavailable(reason: "there is no heap in a test.") })

    /// A capturer that returns ``HeapGraph/madeUp(_:)`` with one more screen each time.
    static var madeUp: Self {
        let count = Locked(0)
        return Self(
            capture: { progress in
                progress(.copying)
                return .madeUp(
                    count.withLock { count in
                        count += 1
                        return count
                    })
            },
            paths: { graph, question, progress in
                progress(.searching)
                return .madeUp(question, in: graph)
            })
    }
}

extension HeapGraph {
    /// A census with the given number of screens.
    ///
    /// With three screens or more, their array is larger; with one, there is a flow.
    static func madeUp(_ screens: Int) -> Self {
        let lines = [
            Line(kind: .unknown, name: "C and unknown", count: 1204, bytes: 1_048_576),
            Line(
                kind: .storage, name: "Array<TextScreen>",
                type: "Swift._ContiguousArrayStorage<Demo.TextScreen>", isOfProgram: true, count: 1,
                bytes: screens < 3 ? 64 : 96, retained: 64 + 48 * screens),
            Line(
                kind: .instance, name: "TextScreen", type: "Demo.TextScreen", isOfProgram: true, count: screens,
                bytes: 48 * screens, retained: 48 * screens),
            Line(
                kind: .closure, name: "closure #1 in \"Flow\".<bind>()", type: "Demo: closure #1", isOfProgram: true,
                count: 1, bytes: 48),
            Line(kind: .dispatch, name: "Dispatch queue", count: 3, bytes: 416),
            Line(kind: .leftOut, name: "left out", count: 7, bytes: 224),
        ]
        let flow = Line(kind: .actor, name: "Flow", type: "Demo.Flow", isOfProgram: true, count: 1, bytes: 160)
        let all = lines + (screens == 1 ? [flow] : [])
        return Self(
            lines: all, keys: .madeUp(all), leaks: .madeUp, retained: .madeUp(screens),
            tasks: .madeUp, cost: .madeUp)
    }
}

extension HeapGraph.LineKeys {
    /// Keys for all lines with a type.
    static func madeUp(_ lines: [HeapGraph.Line]) -> Self {
        let typed = lines.filter { ![.unknown, .leftOut].contains($0.kind) }
        let key = LineKey(kind: 1, node: 16, metadata: 8, detail: 0)
        return Self(Dictionary(uniqueKeysWithValues: typed.map { ($0.withoutCounts, [key]) }))
    }
}

extension HeapGraph.Paths {
    /// Most of 1,300 objects are in the cache of a static variable, 95 in their own cycles, and one has no holder.
    static func madeUp(_ question: HeapPathQuestion, in graph: HeapGraph) -> Self {
        let lines = graph.lines(named: question.type, kind: question.kind)
        let name = lines.first?.name ?? ""
        // Nothing is left of flows.
        guard question.type != "Demo.Flow" else {
            return Self(lines: lines, count: 0, examined: 0, groups: [], cost: .madeUp)
        }
        let examined = min(1300, question.sample)
        let path = [
            RetainStep(.global, "static Cache.shared"), RetainStep(.object, "Cache", ".entries[…]"),
            RetainStep(.object, name),
        ]
        let groups = [
            Group(
                status: .reachable, name: name, count: max(1, examined - 96), throughOthers: 4, path: path,
                fingerprint: Fingerprint(parts: ["Cache.entries", name]),
                signature: "static Cache.shared → Cache.entries → \(name)"),
            Group(
                status: .cycle, name: name, count: 95, path: [RetainStep(.object, name, ".next")], cycle: 0...0,
                fingerprint: Fingerprint(parts: ["cycle", name]), signature: "\(name).next → \(name)"),
            Group(status: .noRootFound, name: name, signature: name),
        ]
        return Self(lines: lines, count: 1300, examined: examined, groups: groups, cost: .madeUp)
    }
}

extension RetainCost {
    fileprivate static let madeUp = RetainCost(
        objects: 2305, blocks: 5713, pause: .nanoseconds(376_000), total: .nanoseconds(38_700_400), rounds: 2,
        copyBytes: 6_959_104)
}

extension HeapGraph.RetainedSizes {
    /// A variable that keeps an array of screens, a thread, and a queue that both hold.
    static func madeUp(_ screens: Int) -> Self {
        Self(
            groups: [
                Group(
                    kind: .variable, name: "static Demo.screens", isOfProgram: true, retained: 96 + 48 * screens),
                Group(kind: .thread, name: "thread 'main'", retained: 1000),
                Group(
                    kind: .storage, name: "Array<TextScreen>", type: "Swift._ContiguousArrayStorage<Demo.TextScreen>",
                    isOfProgram: true, parent: 0, count: 1, bytes: 64, retained: 96 + 48 * screens,
                    largest: 96 + 48 * screens),
                Group(
                    kind: .instance, name: "TextScreen", type: "Demo.TextScreen", isOfProgram: true, parent: 2,
                    count: screens, bytes: 48 * screens, retained: 48 * screens, largest: 48),
                Group(kind: .dispatch, name: "Dispatch queue", count: 1, bytes: 160, retained: 160, largest: 160),
            ],
            count: 40 + screens, bytes: 1300 + 48 * screens, leftOut: 2)
    }
}

extension HeapGraph.Tasks {
    /// A download that awaits a continuation, its parent, a Task that waits for an actor, and a sleeping Task of a
    /// library.
    static var madeUp: Self {
        Self(
            all: [
                HeapGraph.Task(
                    id: 18, state: .continuation, isCancelled: true, isStuck: true, parent: 17,
                    name: "closure #1 in closure #1 in Gallery.load()", label: "image 3",
                    functions: ["Download.bytes()", "Gallery.image(at:)"], isOfProgram: true,
                    holds: ["Download", "Gallery"]),
                HeapGraph.Task(
                    id: 17, state: .child, awaits: "Task 18", children: [18], name: "closure #1 in Gallery.load()",
                    functions: ["Gallery.images()", "closure #1 in Gallery.load()"], isOfProgram: true,
                    holds: ["Gallery"]),
                HeapGraph.Task(
                    id: 21, state: .actor, awaits: "Database", functions: ["Notes.save()"], isOfProgram: true),
                HeapGraph.Task(id: 4, state: .sleep),
            ],
            leftOut: 7)
    }
}

extension HeapGraph.Leaks {
    /// A cycle, a known cycle, and an object that was retained too often.
    static var madeUp: Self {
        let cycle = HeapGraph.Leak(
            kind: .cycle, name: "Cell", type: "Demo.Cell", isOfProgram: true, count: 1204, objects: 3612,
            bytes: 208_896, victims: [HeapGraph.Victims(name: "Note", type: "Demo.Note", count: 1204, inCycles: 4)],
            path: [RetainStep(.object, "Cell", ".parent"), RetainStep(.object, "Row", ".cells")],
            cycle: 0...1, suspect: 0, hint: RetainHint(pattern: .parentAndChild, text: "Make Cell.parent weak."),
            fingerprint: Fingerprint(parts: ["Cell.parent", "Row.cells"]), signature: "Cell.parent → Row.cells → Cell")
        let old = HeapGraph.Leak(
            kind: .cycle, name: "Page", type: "Demo.Page", isOfProgram: true, count: 2, objects: 4, bytes: 192,
            path: [RetainStep(.object, "Page", ".next")], cycle: 0...0, suspect: 0,
            fingerprint: Fingerprint(parts: ["Page.next"]), signature: "Page.next → Page",
            known: try? KnownLeaks(json: #"[{"pattern": "Page.next → Page", "reason": "old design"}]"#).leaks.first)
        let stray = HeapGraph.Leak(
            kind: .overRetained, name: "Stray", type: "Demo.Stray", isOfProgram: true, bytes: 48, strongReferences: 2,
            explainedReferences: 0, fingerprint: Fingerprint(parts: ["unexplained", "Demo.Stray"]), signature: "Stray")
        return Self(cycles: [cycle, old], uncertain: [stray])
    }
}

/// A capturer whose captures last until the test ends them.
typealias HeldCapturer = HeldCalls<Void, HeapGraph>

extension HeldCalls where Question == Void, Answer == HeapGraph {
    convenience init() {
        self.init { .madeUp(1) }
    }

    var capturer: HeapCapturer {
        HeapCapturer(
            capture: { [self] progress in try await answer(to: (), progress) },
            paths: { graph, question, _ in .madeUp(question, in: graph) })
    }
}

/// Searches for holders of types that last until the test ends them.
typealias HeldPathSearches = HeldCalls<(question: HeapPathQuestion, graph: HeapGraph), HeapGraph.Paths>

extension HeldCalls where Question == (question: HeapPathQuestion, graph: HeapGraph), Answer == HeapGraph.Paths {
    convenience init() {
        self.init { .madeUp($0.question, in: $0.graph) }
    }

    var capturer: HeapCapturer {
        HeapCapturer(
            capture: { _ in .madeUp(1) },
            paths: { [self] graph, question, progress in try await answer(to: (question, graph), progress) })
    }
}
