import LifetimeTracer
import Testing

/// More objects than the agent's registry lists.
///
/// No option of `run` lowers the limit, so the program creates millions of objects.
@Suite(.timeLimit(.minutes(20))) struct RunLimitTests {
    private struct Summary: Decodable {
        struct Drop: Decodable {
            let buffer: String
            let limit: Int
            let dropped: Int
        }
        let drops: [Drop]
    }

    @Test func objectsBeyondTheLimitAreCountedAndNotListed() async throws {
        let limit = RegistryConfiguration().instanceLimit
        let run = try await SteppedRun([limit + 100, -200, 50, -(limit - 50)])
        try await expect(run, live: limit + 100, born: limit + 100, listed: limit, dropped: 100)
        // The oldest die, which are listed; objects that are not listed stay so.
        try await run.step(2)
        try await expect(run, live: limit - 100, born: limit + 100, listed: limit - 200, dropped: 100)
        try await run.step(3)
        try await expect(run, live: limit - 50, born: limit + 150, listed: limit - 150, dropped: 100)
        // All die, so no death is lost or counted twice.
        try await run.step(4)
        try await expect(run, live: 0, born: limit + 150, listed: 0, dropped: 100)
    }

    private func expect(_ run: SteppedRun, live: Int, born: Int, listed: Int, dropped: Int) async throws {
        let limit = RegistryConfiguration().instanceLimit
        let counts = SteppedRun.Counts(live: live, peak: limit + 100, born: born, died: born - live)
        #expect(try await run.counts() == counts)
        #expect(try await run.instances("&limit=1").total == listed)
        let drops = try await run.get("summary", as: Summary.self).drops
        let drop = try #require(drops.first { $0.buffer == "instances" })
        #expect(drop.limit == limit && drop.dropped == dropped)
    }
}
