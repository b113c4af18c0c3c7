import ForkTesting
import Testing
import VolumeRounds

/// Whatever a program does over and over, memory is flat, and what lived through it can be let go.
///
/// Each kind of rounds has a process of its own, and one runs at a time.
@Suite(.serialized, .timeLimit(.minutes(30))) struct VolumeTests {
    @Test(arguments: await roundKinds) func memoryIsFlat(kind: RoundKind) async throws {
        let rounds = Sanitizer.isPresent ? kind.rounds / 30 : kind.rounds
        let run = try await VolumeRun(of: kind.name, rounds: rounds)
        #expect(run.status == 0, "\(run.text)")
        let growth = try #require(run.allocatedGrowth, "\(run.text)")
        #expect(growth < Self.bound, "\(growth) bytes in \(rounds) rounds: \(run.text)")
        // Under a sanitizer there is no such figure: it keeps what is freed for a while.
        if !Sanitizer.isPresent {
            let resident = try #require(run.residentGrowth, "\(run.text)")
            #expect(resident < Self.residentBound, "\(resident) bytes in \(rounds) rounds: \(run.text)")
        }
    }

    /// Under a byte a round, of which the least that malloc gives out is 24: caches and tables of libraries still settle.
    private static let bound = 250_000
    /// Memory that is free inside the heap counts here.
    private static let residentBound = 4_000_000

    @Test func growthIsSeen() async throws {
        let run = try await VolumeRun(of: "(control) a closure wrapped at each round", rounds: 10_000)
        let growth = try #require(run.allocatedGrowth, "\(run.text)")
        #expect(growth > Self.bound, "\(run.text)")
    }

    @Test func aReleaseThatTakesTooMuchStackIsSeen() async throws {
        let run = try await VolumeRun(of: "(control) a closure wrapped at each round", rounds: 1_000_000)
        // By a signal, which a sanitizer turns into an exit code.
        #expect(run.status != 0, "\(run.text)")
    }

    @Test func aCommandLineThatMakesNoSenseIsRefused() async throws {
        #expect(try await VolumeRun(of: "no such rounds", rounds: 100).status == 2)
    }
}
