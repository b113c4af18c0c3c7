import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// No counter ever decreases, regardless of the number of types.
///
/// Prometheus treats a decrease as a restart.
@Suite struct MetricsCounterTests {
    private func scrape(_ bench: Bench) throws -> [String: String] {
        try MetricsText.check(bench.get("/metrics").text)
    }

    /// The counters that decreased or vanished between two scrapes.
    private func decreasedCounters(_ before: [String: String], _ after: [String: String]) -> [String] {
        before.keys.filter { $0.prefix { $0 != "{" }.hasSuffix("_total") }.filter { key in
            guard let old = before[key].flatMap(Double.init), let new = after[key].flatMap(Double.init) else {
                return true
            }
            return new < old
        }
    }

    private func own(_ samples: [String: String], _ name: String) -> Set<String> {
        Set(samples.keys.filter { $0.hasPrefix("lifetime_tracer_\(name){") })
    }

    @Test func typesKeepTheirSeriesWhenLiveCountsSwap() throws {
        let bench = Bench()
        let count = 1200
        // First, the low numbers have the most live instances, then the high numbers.
        var live: [[TracedObject]] = bench.registry.withCurrent {
            (0..<count).map { number in (0..<(number < 600 ? 3 : 1)).map { _ in ManyTypes.make(number) } }
        }
        var before = try scrape(bench)
        let series = own(before, "instances_born_total")
        #expect(series.count == TypeSeries.limit + 1)
        for round in 1...3 {
            for number in live.indices {
                let isMany = (number < 600) == (round % 2 == 0)
                live[number] = bench.registry.withCurrent { (0..<(isMany ? 5 : 0)).map { _ in ManyTypes.make(number) } }
            }
            let after = try scrape(bench)
            #expect(decreasedCounters(before, after) == [])
            #expect(own(after, "instances_born_total") == series, "no type loses its series")
            before = after
        }
        let other = "{type=\"other\"}"
        #expect(before["lifetime_tracer_instances_born_total\(other)"] == "\(200 + 2 * 200 * 5)")
        #expect(before["lifetime_tracer_instances_live\(other)"] == "1000")
        #expect(before["lifetime_tracer_types"] == "\(count)")
        #expect(before["lifetime_tracer_types_other"] == "200")
        withExtendedLifetime(live) {}
    }

    @Test func verdictsBeyondSeriesLimitAreCountedAsOther() throws {
        let bench = Bench()
        var objects: [TracedObject] = []
        var before = try scrape(bench)
        for start in [0, 700, 400] {
            let made = bench.registry.withCurrent { (start..<start + 500).map(ManyTypes.make) }
            for object in made {
                try bench.registry.expectDeallocation(of: object, within: .seconds(1), because: "closed")
            }
            objects += made
            bench.pass(.seconds(2))
            let after = try scrape(bench)
            #expect(decreasedCounters(before, after) == [])
            before = after
        }
        // Types 0 to 499 and 700 to 1,199 had their own series. Of types 400 to 899, types 500 to 699 had none.
        #expect(before[#"lifetime_tracer_verdicts_total{kind="overdue",type="other"}"#] == "200")
        #expect(before[#"lifetime_tracer_dropped_total{buffer="verdictTypes"}"#] == "200")
        #expect(own(before, "verdicts_total").count == 1001)
        objects = []
        bench.registry.check()
        let after = try scrape(bench)
        #expect(decreasedCounters(before, after) == [])
        #expect(after[#"lifetime_tracer_verdicts_total{kind="late",type="other"}"#] == "200")
        #expect(own(after, "instances_overdue").allSatisfy { after[$0] == "0" })
    }

    @Test func overdueInstancesAreCountedByType() throws {
        let bench = Bench()
        let type = #"{type="LifetimeTracerDashboardTests.Session"}"#
        var sessions = bench.registry.withCurrent { (0..<3).map { _ in Session() } }
        for session in sessions {
            try bench.registry.expectDeallocation(of: session, within: .seconds(1), because: "logged out")
            try bench.registry.expectDeallocation(of: session, within: .seconds(2), because: "shut down")
        }
        bench.pass(.seconds(3))
        sessions.removeLast()
        bench.registry.check()
        let samples = try scrape(bench)
        #expect(samples["lifetime_tracer_instances_overdue\(type)"] == "2")
        #expect(samples["lifetime_tracer_instances_became_overdue_total\(type)"] == "3")
        #expect(
            samples[#"lifetime_tracer_verdicts_total{kind="overdue",type="LifetimeTracerDashboardTests.Session"}"#]
                == "6")
        #expect(
            samples[#"lifetime_tracer_verdicts_total{kind="late",type="LifetimeTracerDashboardTests.Session"}"#] == "1")
        withExtendedLifetime(sessions) {}
    }

    /// Births, deaths and verdicts continue while several clients scrape.
    ///
    /// Each client sees increasing counters.
    @Test func countersNeverDecreaseInConcurrentScrapes() async throws {
        let bench = UncheckedBench(Bench())
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<1331 {
                    let objects = bench.value.registry.withCurrent {
                        [ManyTypes.make(number), ManyTypes.make(1330 - number)]
                    }
                    try bench.value.registry.expectDeallocation(of: objects[0], within: .zero, because: "closed")
                    if number % 50 == 0 { bench.value.registry.check() }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    var before = try scrape(bench.value)
                    for _ in 0..<3 {
                        let after = try scrape(bench.value)
                        #expect(decreasedCounters(before, after) == [])
                        before = after
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func metricsOfTheProcessAreWritten() throws {
        let samples = try scrape(Bench())
        #expect(samples["process_cpu_seconds_total"] == "12.345678")
        #expect(samples["process_open_fds"] == "23")
        #expect(samples["process_max_fds"] == "1024")
        #expect(samples["process_virtual_memory_bytes"] == "1234567168")
        #expect(samples["process_virtual_memory_max_bytes"] == "1.8446744073709552e+19")
        #expect(samples["process_resident_memory_bytes"] == "45678592")
        #expect(samples["process_threads"] == "9")
        #expect(samples["process_start_time_seconds"] == "1699999998.5")
    }

    @Test func usageOfThisProcessIsPlausible() throws {
        let usage = ProcessUsage.current()
        let later = ProcessUsage.current()
        #expect(try #require(usage.cpuSeconds) > 0)
        #expect(try #require(later.cpuSeconds) >= #require(usage.cpuSeconds))
        #expect(try #require(usage.openFiles) >= 3)
        #expect(try #require(usage.openFiles) <= #require(usage.maximumFiles))
        #expect(try #require(usage.residentBytes) > 1_000_000)
        #expect(try #require(usage.virtualBytes) >= #require(usage.residentBytes))
        #expect(try #require(usage.virtualBytes) <= #require(usage.maximumVirtualBytes))
        #expect(try #require(usage.threads) >= 1)
    }
}

/// `@unchecked Sendable` is safe because a bench's registry, clock and dashboard can be used from any thread.
private final class UncheckedBench: @unchecked Sendable {
    let value: Bench

    init(_ value: Bench) {
        self.value = value
    }
}
