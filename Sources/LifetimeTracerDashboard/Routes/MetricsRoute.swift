/// The route of the metrics for Prometheus.
enum MetricsRoute {
    static func routes(_ context: DashboardContext) -> [Route] {
        let size = UsualSize()
        return [
            Route(
                .get, "/metrics",
                summary: "The metrics in Prometheus format, or in OpenMetrics format if Accept requests it.",
                responses: [
                    Route.Response(
                        200, "The metrics.",
                        contents: [MetricsFormat.prometheus, .openMetrics].map { format in
                            Route.Response.Content(String(format.contentType.prefix { $0 != ";" }), .string())
                        },
                        headers: [Route.Header("Vary", "`Accept`, which selects the format.")])
                ]
            ) { request in
                let format = MetricsFormat(request.request)
                let bytes = RegistryMetrics(context).bytes(format, reservingCapacity: size.room)
                size.record(bytes.count)
                return HTTPResponse(
                    status: 200,
                    headers: [
                        HTTPHeaders.Field("Content-Type", format.contentType), HTTPHeaders.Field("Vary", "Accept"),
                    ],
                    body: .bytes(bytes))
            }
        ]
    }
}
