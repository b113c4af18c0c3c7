import Testing

@testable import RetainPaths

/// Which Tasks nothing can resume, by whom they await.
struct StuckTasksTests {
    private func stuck(lost: [UInt] = [], _ awaited: [UInt: [UInt]]) -> [UInt] {
        let stuck = StuckTasks(lost: lost, awaited: awaited)
        return (1...9).filter { stuck.contains($0) }
    }

    @Test func tasksThatAwaitEachOtherAreStuck() {
        #expect(stuck([1: [2], 2: [1]]) == [1, 2])
        #expect(stuck([1: [2], 2: [3], 3: [1], 4: [1]]) == [1, 2, 3, 4])
        #expect(stuck([1: [1]]) == [1])
    }

    @Test func tasksThatAwaitALostTaskAreStuck() {
        #expect(stuck(lost: [3], [1: [2], 2: [3]]) == [1, 2, 3])
        #expect(stuck(lost: [3], [3: [4]]) == [3])
    }

    @Test func tasksThatAwaitAnyOtherTaskAreNotStuck() {
        #expect(stuck([1: [2], 2: [3]]) == [])
        #expect(stuck([:]) == [])
        #expect(stuck([1: []]) == [])
    }

    @Test func parentIsStuckIfAllChildrenAre() {
        #expect(stuck(lost: [2, 3], [1: [2, 3]]) == [1, 2, 3])
        #expect(stuck(lost: [2], [1: [2, 3]]) == [2])
        // A child that awaits its parent.
        #expect(stuck([1: [2], 2: [1]]) == [1, 2])
    }
}
