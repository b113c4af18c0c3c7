import Foundation
import Testing

/// What the page of a program under `run` says about the change of a class that the hooks trace.
@Suite(.timeLimit(.minutes(20))) struct RunChangeTests {
    private struct Diff: Decodable {
        struct Change: Decodable, Equatable {
            let type: String
            let born: Int
            let died: Int
            let kept: Int
        }
        struct Instance: Decodable {
            let id: Int
            let type: String
        }
        let types: [Change]
        let total: Int
        let survivors: [Instance]
    }

    private struct Timeline: Decodable {
        struct Lane: Decodable {
            struct Lifetime: Decodable {
                let id: Int
                let bornAt: String?
                let goneAt: String?
            }
            let type: String
            let live: Int
            let died: Int
            let liveSinceBefore: Int
            let hidden: Int
            let lifetimes: [Lifetime]
        }
        let lanes: [Lane]
    }

    /// Objects that are born, and objects that die, before and after the mark.
    @Test func differenceSinceAMarkCountsBirthsAndDeaths() async throws {
        let run = try await SteppedRun([5, -2, 4, -6])
        try await run.step(2)
        try await run.mark("before")
        let unchanged = try await run.get("diff?from=before", as: Diff.self)
        #expect(unchanged.types.isEmpty && unchanged.total == 0)
        try await run.step(3)
        let grown = try await run.get("diff?from=before", as: Diff.self)
        #expect(grown.types == [Diff.Change(type: SteppedRun.type, born: 4, died: 0, kept: 4)])
        try await run.mark("between")
        try await run.step(4)
        let shrunk = try await run.get("diff?from=before", as: Diff.self)
        #expect(shrunk.types == [Diff.Change(type: SteppedRun.type, born: 4, died: 6, kept: 1)])
        #expect(shrunk.total == 1 && shrunk.survivors.map(\.type) == [SteppedRun.type])
        let young = try await run.instances("&bornAfterMark=before")
        #expect(young.total == 1 && young.ids == Set(shrunk.survivors.map(\.id)))
        let earlier = try await run.get("diff?from=before&to=between", as: Diff.self)
        #expect(earlier.types == [Diff.Change(type: SteppedRun.type, born: 4, died: 0, kept: 1)])
    }

    @Test func peakIsTheMostObjectsThatLivedAtOnce() async throws {
        let run = try await SteppedRun([5, -4, 6, -3, 2])
        #expect(try await run.counts() == SteppedRun.Counts(live: 5, peak: 5, born: 5, died: 0))
        try await run.step(2)
        #expect(try await run.counts() == SteppedRun.Counts(live: 1, peak: 5, born: 5, died: 4))
        try await run.step(3)
        try await run.step(4)
        #expect(try await run.counts() == SteppedRun.Counts(live: 4, peak: 7, born: 11, died: 7))
        try await run.step(5)
        #expect(try await run.counts() == SteppedRun.Counts(live: 6, peak: 7, born: 13, died: 7))
    }

    /// The registry of the agent remembers the deaths of instances that a list has shown.
    @Test func timelineShowsBirthsAndTheDeathsOfListedObjects() async throws {
        let run = try await SteppedRun([3, 2, -4])
        let listed = try await run.instances()
        #expect(listed.total == 3)
        try await run.step(2)
        let grown = try await lane(of: run)
        #expect(grown.live == 5 && grown.liveSinceBefore == 0 && grown.hidden == 0)
        #expect(grown.lifetimes.count == 5 && grown.lifetimes.allSatisfy { $0.bornAt != nil && $0.goneAt == nil })
        #expect(listed.ids.isSubset(of: grown.lifetimes.map(\.id)))
        try await run.step(3)
        let shrunk = try await lane(of: run)
        #expect(shrunk.live == 1 && shrunk.hidden == 0)
        let dead = shrunk.lifetimes.filter { $0.goneAt != nil }
        #expect(dead.allSatisfy { $0.bornAt != nil } && listed.ids.isSubset(of: dead.map(\.id)), "\(shrunk)")
        #expect(shrunk.died == dead.count && shrunk.lifetimes.count == dead.count + 1)
    }

    private func lane(of run: SteppedRun) async throws -> Timeline.Lane {
        // The longest period: on a busy machine, the test can take longer than the usual two minutes.
        let timeline = try await run.get("timeline?since=3600", as: Timeline.self)
        return try #require(timeline.lanes.first { $0.type == SteppedRun.type })
    }
}
