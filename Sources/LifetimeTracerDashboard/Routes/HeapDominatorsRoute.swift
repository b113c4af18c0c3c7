import LifetimeTracer
import RetainPaths

/// The route that lists what keeps the memory of a capture of the heap.
enum HeapDominatorsRoute {
    private static let mostLevels = 8
    private static let parameters = [
        Route.Parameter(
            "under", .integer(HeapGroupNumber.range),
            "The number of a group; the groups below it are listed. The default is the top of the tree."),
        Route.Parameter("levels", .integer(1...mostLevels), "The levels below that group; default 1."),
    ]

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "\(HeapRoutes.listPath)/{id}/dominators",
                summary: "What keeps the memory of a capture: roots, and below them the objects that only they hold.",
                parameters: [HeapRoutes.number] + parameters + PageRequest.parameters + [PageRequest.offset],
                "The capture, with a page of groups, the largest first; a group comes after the group above it.",
                errors: [.error(404, "There is no such capture, or no such group in it.")]
            ) { try groups($0, context) }
        ]
    }

    private static func groups(_ request: RouteRequest, _ context: DashboardContext) throws -> WireHeapGroups {
        let id = request.integer("id") ?? 0
        let capture = try context.heapCaptures.state(of: id).capture(id)
        let retained = capture.graph.retained
        let under = request.integer("under")
        guard under.map({ $0 <= retained.groups.count }) ?? true else {
            throw RequestError(
                status: 404, code: "unknownGroup", message: "Capture \(id) has no group \(under ?? 0).",
                hint: "See \(HeapRoutes.listPath)/\(id)/dominators for the groups at the top.")
        }
        let position = under.map { $0 - 1 }
        let tree = HeapGroupTree(retained)
        let entries = tree.groups(under: position, levels: request.integer("levels") ?? 1)
        let page = try PageRequest(request, hasOffset: true).page(of: entries) { UInt64($0.number) }
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        return WireHeapGroups(
            heap: WireHeap(capture, clock), retained: retained,
            path: tree.path(to: position).map(WireHeapGroup.init), unlisted: tree.unlisted(below: position),
            page: page.map(WireHeapGroup.init))
    }
}
