import LifetimeTracer
import RetainPaths

/// The route that lists the Tasks of a capture of the heap.
enum HeapTasksRoute {
    private static let parameters = [
        Route.Parameter(
            "state", .choice(HeapGraph.Task.State.allCases.map(\.rawValue)), "Only Tasks in this state."),
        Route.Parameter("ofProgram", .choice(["0", "1"]), "With 1, only Tasks in functions of the program."),
        Route.Parameter(
            "fold", .choice(["0", "1"]),
            "With 1, one entry for all Tasks that differ only in their numbers; `alike` counts the others."),
        Route.Parameter(
            "like", .integer(0...Int(UInt32.max)), "Only the Task with this number, and those that are alike."),
    ]

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "\(HeapRoutes.listPath)/{id}/tasks",
                summary: "The Tasks of a capture: what each of them awaits, in which functions.",
                parameters: [HeapRoutes.number] + parameters + PageRequest.parameters + [PageRequest.offset],
                "The capture, with a page of its Tasks; those that only others can resume first, the oldest first.",
                errors: [HeapRoutes.missing]
            ) { try tasks($0, context) }
        ]
    }

    private static func tasks(_ request: RouteRequest, _ context: DashboardContext) throws -> WireHeapTasks {
        let id = request.integer("id") ?? 0
        let capture = try context.heapCaptures.state(of: id).capture(id)
        let state = request.text("state").flatMap(HeapGraph.Task.State.init)
        let isOfProgram = request.text("ofProgram") == "1"
        let selected = capture.graph.tasks.all.filter { task in
            (state == nil || task.state == state) && (!isOfProgram || task.isOfProgram)
        }
        let alike = request.integer("like").map { AlikeTasks.like($0, in: selected) } ?? selected
        let isFolded = request.text("fold") == "1"
        let entries = isFolded ? AlikeTasks.folded(alike) : alike.map { AlikeTasks(task: $0) }
        let page = try PageRequest(request, hasOffset: true).page(of: entries) { $0.task.key }
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        return WireHeapTasks(
            heap: WireHeap(capture, clock), tasks: capture.graph.tasks, page: page.map(WireHeapTask.init))
    }
}
