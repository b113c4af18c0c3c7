import Testing

@testable import LifetimeTracer

/// The table of growing subjects: its bound, and the whole process.
@Suite struct GrowthTableTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func name(_ number: Int) -> GrowthRecord.Subject {
        .type(TypeName(module: "App", name: "T\(number)"))
    }

    @Test func subjectsBeyondTheLimitAreCountedAsDropped() {
        var table = GrowthTable(start: start)
        let counts = GrowthTable.Counts(
            uniqueKeysWithValues: (0..<2 * GrowthTable.limit + 4).map { (name($0), AgeCounts([1])) })
        _ = table.count(counts, omitted: 5, at: start + .seconds(60))
        #expect(table.count == 2 * GrowthTable.limit + 1)
        #expect(table.dropped == 3 + 5)
    }

    @Test func subjectsWithoutInstancesMakeRoom() {
        var table = GrowthTable(start: start)
        let full = GrowthTable.Counts(
            uniqueKeysWithValues: (0..<2 * GrowthTable.limit + 1).map { (name($0), AgeCounts([1])) })
        _ = table.count(full, omitted: 0, at: start + .seconds(60))
        _ = table.count([:], omitted: 0, at: start + .seconds(120))
        _ = table.count([name(9999): AgeCounts([1])], omitted: 0, at: start + .seconds(180))
        #expect(table.dropped == 0 && table.count == 1)
    }

    /// Many types of which each gets one instance in a while: none has survivors of each minute, all together have.
    @Test func aProcessOfManyRareTypesGrowsAsAWhole() {
        var table = GrowthTable(start: start)
        var verdicts: [Verdict] = []
        for minute in 1...20 {
            var counts = GrowthTable.Counts()
            counts[.process] = AgeCounts([UInt32](repeating: 40, count: minute))
            verdicts += table.count(counts, omitted: 0, at: start + .seconds(60 * minute))
        }
        #expect(
            verdicts.map(\.message) == [
                "the whole process grows: instances from 11 of the last 11 minutes are still alive; 40 a minute more"
            ])
        #expect(table.growing.map(\.subject) == [.process])
    }

    @Test func slowGrowthIsToldByTheHour() {
        var table = GrowthTable(start: start)
        var verdicts: [Verdict] = []
        for minute in 1...160 {
            // Born in every fifth minute, and all still live.
            let ages = (0..<minute).map { UInt32((minute - 1 - $0) % 5 == 0 ? 1 : 0) }
            verdicts += table.count([name(1): AgeCounts(ages)], omitted: 0, at: start + .seconds(60 * minute))
        }
        #expect(verdicts.count == 1)
        #expect(verdicts.first?.message.hasSuffix("an hour more") == true)
    }

    @Test func countsBeyondTheLastMinuteAreAddedUp() {
        var ages = AgeCounts([UInt32](repeating: 2, count: AgeCounts.minutes + 3))
        #expect(ages.older == 6 && ages.byAge.count == AgeCounts.minutes)
        ages.add(age: AgeCounts.minutes)
        ages.add(age: -1)
        #expect(ages.older == 7 && ages.total == 2 * AgeCounts.minutes + 7)
        #expect(ages.survivors(windowMinutes: 16).allSatisfy { $0 == 32 })
    }
}
