import LifetimeTracer

/// The route that compares two captures of the heap.
enum HeapDiffRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        let from = Route.Parameter(
            "from", .integer(HeapNumber.range), "The number of the earlier capture.", isRequired: true)
        let to = Route.Parameter(
            "to", .integer(HeapNumber.range), "The number of the later capture; the default is the newest one.")
        return [
            Route(
                .get, "\(HeapRoutes.listPath)/diff",
                summary: "The change between two captures by type; the largest growth first.",
                parameters: [from, to] + HeapLineQuery.parameters + PageRequest.parameters + [PageRequest.offset],
                "The captures, with a page of the changes.", errors: [HeapRoutes.missing]
            ) { try diff($0, context) }
        ]
    }

    private static func diff(_ request: RouteRequest, _ context: DashboardContext) throws -> WireHeapDiff {
        let captures = context.heapCaptures
        let from = request.integer("from") ?? 0
        let earlier = try captures.state(of: from).capture(from)
        let to = request.integer("to") ?? captures.kept.captures.last?.id ?? from
        let later = try captures.state(of: to).capture(to)
        let page = try PageRequest(request, hasOffset: true)
        let changes = page.page(of: HeapLineQuery(request).changes(from: earlier.graph, to: later.graph)) {
            $0.line.key
        }
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        return WireHeapDiff(
            from: WireHeap(earlier, clock), to: WireHeap(later, clock),
            page: changes.map { WireHeapChange($0, in: later.graph) })
    }
}
