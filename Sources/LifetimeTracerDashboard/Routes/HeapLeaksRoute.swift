import LifetimeTracer
import RetainPaths

/// The route that lists the leaks of a capture of the heap.
enum HeapLeaksRoute {
    private static let parameters = [
        Route.Parameter(
            "kind", .choice(HeapGraph.Leak.Kind.allCases.map(\.rawValue)),
            "Only leaks of this kind; `cycle` is certain, the others may be in use."),
        Route.Parameter(
            "known", .choice(["0", "1"]), "With 0, only leaks that are not known; with 1, only known ones."),
    ]

    static func routes(_ context: DashboardContext) -> [Route] {
        [
            Route(
                .get, "\(HeapRoutes.listPath)/{id}/leaks",
                summary: "The leaks of a capture: objects that no root reaches, by the cycles that keep them.",
                parameters: [HeapRoutes.number] + parameters + PageRequest.parameters + [PageRequest.offset],
                "The capture, with a page of its leaks; the certain ones first, then those with the most bytes.",
                errors: [HeapRoutes.missing]
            ) { try leaks($0, context) }
        ]
    }

    private static func leaks(_ request: RouteRequest, _ context: DashboardContext) throws -> WireHeapLeaks {
        let id = request.integer("id") ?? 0
        let capture = try context.heapCaptures.state(of: id).capture(id)
        let leaks = capture.graph.leaks
        let entries = leaks.all.map { leak in
            let known = leak.known.map(KnownLeakEntry.init) ?? leak.fingerprint.flatMap(context.known)
            return HeapLeakEntry(leak: leak, known: known)
        }
        let cycles = entries.filter { $0.leak.kind == .cycle }
        let kind = request.text("kind").flatMap(HeapGraph.Leak.Kind.init)
        let known = request.text("known").map { $0 == "1" }
        let selected = entries.filter { entry in
            (kind == nil || entry.leak.kind == kind) && (known == nil || (entry.known != nil) == known)
        }
        let page = try PageRequest(request, hasOffset: true).page(of: selected) { $0.key }
        let clock = WireClock(context.registry, now: context.registry.clock.now())
        return WireHeapLeaks(
            heap: WireHeap(capture, clock), leaks: leaks, cycles: cycles.reduce(0) { $0 + $1.leak.count },
            knownCycles: cycles.reduce(0) { $0 + ($1.known == nil ? 0 : $1.leak.count) },
            stuckTasks: capture.graph.tasks.all.count { $0.isStuck },
            page: page.map(WireHeapLeak.init))
    }
}
