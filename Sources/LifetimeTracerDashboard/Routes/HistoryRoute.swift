import LifetimeTracer

/// The route of the counts over time.
enum HistoryRoute {
    /// The most types with a column of their own.
    private static let typeColumns = 12
    private static let usualSeconds = 600

    static func routes(_ context: DashboardContext) -> [Route] {
        let parameters = [
            Route.Parameter(
                "since", .integer(1...1_000_000_000),
                "Length of the period up to now, in seconds; default \(usualSeconds)."),
            Route.Parameter("step", .integer(1...3600), "Seconds between samples; default 1."),
        ]
        return [
            Route(
                .get, "/api/v1/history", summary: "The recorded counts over time.",
                parameters: parameters, "The samples."
            ) { request in
                history(request, context)
            }
        ]
    }

    private static func history(_ request: RouteRequest, _ context: DashboardContext) -> WireHistory {
        let now = context.registry.clock.now()
        let step = request.integer("step") ?? 1
        let start = now + .seconds(-(request.integer("since") ?? usualSeconds))
        let samples = thinned(context.registry.historySamples(since: start), step: step)
        return WireHistory(
            samples, stepSeconds: step, types: topTypes(samples), WireClock(context.registry, now: now))
    }

    /// Returns the last sample of each step.
    ///
    /// Steps are aligned to multiples of the step on the clock, so two requests get the same steps.
    private static func thinned(_ samples: [HistorySample], step: Int) -> [HistorySample] {
        guard step > 1 else { return samples }
        let width = UInt64(step) * 1_000_000_000
        return samples.enumerated().filter { position, sample in
            position + 1 == samples.count
                || samples[position + 1].at.nanoseconds / width != sample.at.nanoseconds / width
        }
        .map(\.element)
    }

    /// Returns the types with the highest live counts in the samples.
    private static func topTypes(_ samples: [HistorySample]) -> [TypeName] {
        var most: [TypeName: Int] = [:]
        for sample in samples {
            for (type, live) in zip(sample.topTypes, sample.topCounts) { most[type] = max(most[type] ?? 0, live) }
        }
        return most.sorted { ($1.value, $0.key.qualified) < ($0.value, $1.key.qualified) }
            .prefix(typeColumns).map(\.key)
    }
}
