/// The route of the event stream.
enum EventsRoute {
    static func routes(_ feed: EventFeed, programRoutes: [String]) -> [Route] {
        [
            Route(
                .get, "/api/v1/events",
                summary: "Server-sent events: hello, then ticks and verdicts; Last-Event-ID requests missed verdicts.",
                requestHeaders: [
                    Route.Header(
                        "Last-Event-ID",
                        "The id of the last verdict that the client received; any other value is ignored.",
                        isRequired: false)
                ],
                responses: [
                    Route.Response(
                        200, "The stream; the schema is that of each event.", contentType: "text/event-stream",
                        schema: EventSchemas.event)
                ]
            ) { request in
                HTTPResponse(
                    status: 200, headers: [HTTPHeaders.Field("Content-Type", "text/event-stream")],
                    body: .stream(
                        EventStream(
                            feed, lastEventID: request.request.headers["Last-Event-ID"], programRoutes: programRoutes)))
            }
        ]
    }
}
