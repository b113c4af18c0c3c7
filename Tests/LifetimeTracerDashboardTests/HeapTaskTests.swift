import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard
@testable import RetainPaths

/// Requests for the Tasks of a capture.
@Suite(.timeLimit(.minutes(20))) struct HeapTaskTests {
    private static func captured(_ capturer: HeapCapturer) async throws -> Bench {
        let bench = Bench(capturer: capturer)
        _ = bench.post("/api/v1/heaps")
        _ = try await bench.answer("/api/v1/heaps/1")
        return bench
    }

    @Test(arguments: [
        ("", [18, 17, 21, 4]), ("?ofProgram=1", [18, 17, 21]), ("?state=sleep", [4]), ("?state=running", []),
        ("?state=child&ofProgram=1", [17]), ("?limit=2&offset=1", [17, 21]),
    ])
    func tasksAreSelected(query: String, ids: [Int]) async throws {
        let found = try await Self.captured(.madeUp).json("/api/v1/heaps/1/tasks\(query)")
        #expect(found["tasks"].array.map { $0["id"].int ?? 0 } == ids)
        let states = found["states"].array.map { "\($0["state"].string ?? "") \($0["count"].int ?? 0)" }
        #expect(states == ["continuation 1", "child 1", "actor 1", "sleep 1"], "the selection does not matter")
        #expect(found["leftOut"].int == 7 && found["obstacle"].isNull && found["heap"]["id"].int == 1)
    }

    @Test func taskHasItsParentItsFunctionsAndWhatItHolds() async throws {
        let tasks = try await Self.captured(.madeUp).json("/api/v1/heaps/1/tasks")["tasks"].array
        #expect(tasks[0]["parent"].int == 17 && tasks[0]["cancelled"].bool == true && tasks[0]["awaits"].isNull)
        #expect(tasks[0]["functions"].array.map { $0.string } == ["Download.bytes()", "Gallery.image(at:)"])
        #expect(tasks[0]["holds"].array.map { $0.string } == ["Download", "Gallery"])
        #expect(tasks[1]["children"].array.map { $0.int } == [18] && tasks[1]["awaits"].string == "Task 18")
        #expect(tasks[3]["name"].isNull && tasks[3]["ofProgram"].bool == false)
    }

    /// Tasks that differ only in numbers, among others that differ in one trait each.
    private static let crowd: [HeapGraph.Task] = {
        func task(
            _ id: Int, awaits: String = "Task 90", parent: Int? = 7, children: [Int] = [8], label: String = "",
            functions: [String] = ["Cell.load()"], holds: [String] = ["Cell"], isStuck: Bool = false
        ) -> HeapGraph.Task {
            HeapGraph.Task(
                id: id, state: .task, awaits: awaits, isStuck: isStuck, parent: parent,
                children: children, label: label, functions: functions, holds: holds)
        }
        return [
            task(30, isStuck: true), task(1), task(2, awaits: "Task 91", parent: 3, children: [9]),
            task(3, awaits: "Tasks"), task(4, parent: nil), task(5, children: []), task(6, label: "a"),
            task(7, functions: []), task(8, holds: ["Cell", "Cell"]), task(9), task(31, isStuck: true),
        ]
    }()

    @Test(arguments: [
        ("?fold=1", ["30+1", "1+2", "3+0", "4+0", "5+0", "6+0", "7+0", "8+0"]),
        ("?fold=0&limit=3", ["30+0", "1+0", "2+0"]), ("?like=2", ["1+0", "2+0", "9+0"]), ("?like=31&fold=1", ["30+1"]),
        ("?like=99", []), ("?fold=1&limit=2&offset=1", ["1+2", "3+0"]),
    ])
    func tasksThatAreAlikeAreOneEntryOnRequest(query: String, entries: [String]) async throws {
        let graph = HeapGraph(lines: [], tasks: HeapGraph.Tasks(all: Self.crowd), cost: RetainCost())
        let found = try await Self.captured(HeapCapturer(capture: { _ in graph }, paths: HeapCapturer.madeUp.paths))
            .json("/api/v1/heaps/1/tasks\(query)")
        #expect(found["tasks"].array.map { "\($0["id"].int ?? -1)+\($0["alike"].int ?? -1)" } == entries)
        #expect(found["states"].array.map { $0["count"].int } == [11])
    }

    @Test func pagesLeadThroughTheList() async throws {
        let bench = try await Self.captured(.madeUp)
        var ids: [Int] = []
        var after = ""
        for _ in 0..<5 {
            let page = try bench.json("/api/v1/heaps/1/tasks?limit=1\(after)")
            ids += page["tasks"].array.compactMap { $0["id"].int }
            #expect(page["total"].int == 4)
            guard let next = page["next"].string else { break }
            after = "&after=\(next)"
        }
        #expect(ids == [18, 17, 21, 4])
    }

    @Test func reasonForWhichThereAreNoTasksIsStated() async throws {
        let tasks = HeapGraph.Tasks(obstacle: "not readable on this runtime")
        let graph = HeapGraph(lines: [], tasks: tasks, cost: RetainCost())
        let found = try await Self.captured(HeapCapturer(capture: { _ in graph }, paths: HeapCapturer.madeUp.paths))
            .json("/api/v1/heaps/1/tasks")
        #expect(found["obstacle"].string == "not readable on this runtime" && found["tasks"].array.isEmpty)
    }

    @Test func captureWithoutAResultIsRefused() async throws {
        let bench = try await Self.captured(.madeUp)
        #expect(bench.get("/api/v1/heaps/7/tasks").errorCode == "unknownCapture")
        #expect(bench.get("/api/v1/heaps/1/tasks?state=stuck").errorCode == "invalidParameter")
    }

    @Test func tasksCountForTheSizeOfACapture() {
        let few = HeapGraph.Tasks(all: [HeapGraph.Task(id: 1, state: .sleep, functions: ["sleep()"])])
        let many = HeapGraph.Tasks(
            all: (0..<8192).map { HeapGraph.Task(id: $0, state: .sleep, functions: ["sleep()", "main()"]) })
        let sizes = [few, many].map { tasks in
            let graph = HeapGraph(lines: [], tasks: tasks, cost: RetainCost())
            return HeapCapture(id: 1, takenAt: ManualClock().now(), graph: graph).size
        }
        #expect(sizes[0] > 0 && sizes[1] > 8192 * MemoryLayout<HeapGraph.Task>.stride && sizes[1] < 4 << 20)
    }

    @Test(.enabled("captures are not available") { await RetainPaths.availability() == .available })
    func realCaptureListsTheTestItself() async throws {
        let bench = try await Self.captured(.inACopy(RetainPaths.Options()))
        #expect(try bench.json("/api/v1/heaps/1/tasks")["obstacle"].isNull)
        // Other tests also have Tasks.
        let tasks = try bench.all("tasks", of: "/api/v1/heaps/1/tasks?limit=500")
        let functions = tasks.map { $0["functions"].array.compactMap(\.string) }
        #expect(functions.joined().contains { $0.contains("realCaptureListsTheTestItself") }, "\(functions)")
        // The tracer's own Task is left out. Those of other tests also have functions of the tests.
        let own = ["HeapCaptures.", "HeapCapturer.inACopy", "HeapGraph.", "RetainPaths.", "SearchThread."]
        let kept = functions.filter { names in
            !names.isEmpty && names.allSatisfy { name in own.contains { name.contains($0) } }
        }
        #expect(kept.isEmpty, "\(kept)")
    }
}
