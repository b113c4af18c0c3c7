import Testing

@testable import LifetimeTracer

/// Judges simulated populations minute by minute and compares the verdicts with the right ones.
@Suite struct GrowthCorpusTests {
    /// The minutes at which growth was said and withdrawn.
    struct Course: Equatable {
        var said: [Int] = []
        var withdrawn: [Int] = []
    }

    private func course(of population: Population, to end: Int) -> Course {
        var track = GrowthTrack(from: 1)
        var course = Course()
        population.forEachMinute(to: end) { minute, ages in
            switch track.count(ages, at: minute) {
            case .began: course.said.append(minute)
            case .ended: course.withdrawn.append(minute)
            case nil: break
            }
        }
        return course
    }

    @Test(arguments: GrowthCase.corpus)
    func populationIsJudgedRightly(_ expected: GrowthCase) {
        let course = course(of: expected.population, to: expected.minutes)
        switch expected.outcome {
        case .never:
            #expect(course == Course())
        case .said(let minutes):
            #expect(course.said.count == 1 && course.said.allSatisfy(minutes.contains), "\(course)")
            #expect(course.withdrawn.isEmpty)
        case .withdrawn(let minute):
            #expect(course.said.count <= 1 && course.withdrawn.count == course.said.count, "\(course)")
            #expect(course.withdrawn.allSatisfy { $0 <= minute })
        }
    }

    @Test func corpusHasAtLeastThirtyPopulations() {
        #expect(GrowthCase.corpus.count >= 30)
        #expect(Set(GrowthCase.corpus.map(\.name)).count == GrowthCase.corpus.count)
    }
}
