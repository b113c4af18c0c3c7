/// What happens, as it happens.
enum EventsRoute {
    static func routes(_ feed: EventFeed, hasScenarios: Bool) -> [Route] {
        [
            Route(
                .get, "/api/v1/events",
                summary: "Server-sent events: hello, then ticks and verdicts; Last-Event-ID asks for missed verdicts.",
                responses: [
                    Route.Response(200, "The stream.", contentType: "text/event-stream"),
                    Route.Response(503, "There are too many streams."),
                ]
            ) { request in
                HTTPResponse(
                    status: 200, headers: [HTTPHeaders.Field("Content-Type", "text/event-stream")],
                    body: .stream(
                        EventStream(
                            feed, lastEventID: request.request.headers["Last-Event-ID"], hasScenarios: hasScenarios)))
            }
        ]
    }
}
