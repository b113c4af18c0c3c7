import ForkTesting
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// The metrics for Prometheus.
@Suite struct MetricsTests {
    @Test func everyLineIsValid() throws {
        let story = try Story()
        let samples = try MetricsText.check(story.bench.get("/metrics").text)
        let type = "{type=\"LifetimeTracerDashboardTests.Flow\"}"
        #expect(samples["lifetime_tracer_instances_born_total\(type)"] == "2")
        #expect(samples["lifetime_tracer_instances_live\(type)"] == "0")
        #expect(samples["lifetime_tracer_tokens_in_force{kind=\"notification\"}"] == "3")
        #expect(samples["lifetime_tracer_instances_overdue{type=\"LifetimeTracerDashboardTests.TextScreen\"}"] == "1")
        let open = story.bench.get("/metrics", headers: [("Accept", "application/openmetrics-text")])
        #expect(try MetricsText.check(open.text, isOpenMetrics: true) == samples)
    }

    @Test(
        arguments: [
            (nil, false), ("*/*", false), ("text/plain", false), ("application/openmetrics-text", true),
            (
                "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                    + "text/plain;q=0.5",
                true
            ),
            ("text/plain;version=0.0.4, application/openmetrics-text; version=1.0.0; q=0.5", true),
            ("Application/OpenMetrics-Text", true), ("application/openmetrics-text;q=0", false),
            ("application/openmetrics-text; q=0.000", false), ("application/openmetrics-text;q=0.1", true),
            ("application/openmetrics-texts", false),
        ] as [(String?, Bool)])
    func formatFollowsTheAcceptHeader(_ accept: String?, _ isOpenMetrics: Bool) {
        let response = Bench().get("/metrics", headers: accept.map { [("Accept", $0)] } ?? [])
        let type = isOpenMetrics ? "application/openmetrics-text; version=1.0.0" : "text/plain; version=0.0.4"
        #expect(response.headers["Content-Type"] == type + "; charset=utf-8")
        #expect(response.headers["Vary"] == "Accept")
        #expect(response.text.hasSuffix("# EOF\n") == isOpenMetrics)
    }

    @Test(arguments: [true, false])
    func healthIsAMetric(_ isHealthy: Bool) throws {
        let samples = try MetricsText.check(Bench(selfTestPasses: isHealthy).get("/metrics").text)
        #expect(samples["lifetime_tracer_healthy"] == (isHealthy ? "1" : "0"))
    }

    @Test func tracingIsAMetric() async {
        // The switch applies to the whole process, so the test runs in its own process.
        await #expect(processExitsWith: .success) {
            let bench = Bench()
            let before = bench.get("/metrics").text
            LifetimeRegistry.isTracing = false
            let after = bench.get("/metrics").text
            demand(before.contains("\nlifetime_tracer_tracing 1\n"), before)
            demand(after.contains("\nlifetime_tracer_tracing 0\n"), after)
        }
    }

    @Test func labelsAreEscaped() throws {
        let bytes = MetricsWriter.bytes(.prometheus, reservingCapacity: 64) { writer in
            writer.metric(
                "lifetime_tracer_x", .gauge, "back\\slash\nand \"quotes\"", label: "l", [("a\"b\\c\nd\r é", 1)])
        }
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                # HELP lifetime_tracer_x back\\\\slash\\nand "quotes"
                # TYPE lifetime_tracer_x gauge
                lifetime_tracer_x{l="a\\"b\\\\c\\nd\r é"} 1

                """)
    }
}
