import ForkTesting
import Testing
import VolumeRounds

/// Memory use stays flat while a program repeats its work, and objects that lived throughout can be released.
///
/// Each kind of rounds has its own process. Two of these processes run at a time; otherwise these tests would end last,
/// on a single processor.
@Suite(.timeLimit(.minutes(30))) struct VolumeTests {
    @Test(.serialized, arguments: await VolumeTests.kinds(ofHalf: 0))
    func memoryDoesNotGrowOverRepeatedRounds(kind: RoundKind) async throws {
        try await Self.checkMemory(after: kind)
    }

    @Test(.serialized, arguments: await VolumeTests.kinds(ofHalf: 1))
    func memoryDoesNotGrowOverRoundsOfTheOtherHalf(kind: RoundKind) async throws {
        try await Self.checkMemory(after: kind)
    }

    /// Every second kind.
    static func kinds(ofHalf half: Int) async -> [RoundKind] {
        await roundKinds.enumerated().filter { $0.offset % 2 == half }.map(\.element)
    }

    @Test func theHalvesContainEachKindOnce() async {
        let halves = await Self.kinds(ofHalf: 0) + Self.kinds(ofHalf: 1)
        #expect(halves.map(\.name).sorted() == (await roundKinds).map(\.name).sorted() && !halves.isEmpty)
    }

    private static func checkMemory(after kind: RoundKind) async throws {
        let rounds = Sanitizer.isPresent ? kind.rounds / 30 : min(kind.rounds, mostRounds)
        let run = try await VolumeRun(of: kind.name, rounds: rounds)
        #expect(run.status == 0, "\(run.text)")
        let growth = try #require(run.allocatedGrowth, "\(run.text)")
        #expect(growth < bound(rounds), "\(growth) bytes in \(rounds) rounds: \(run.text)")
        // A sanitizer keeps freed memory for a while, so there is no such figure.
        if !Sanitizer.isPresent {
            let resident = try #require(run.residentGrowth, "\(run.text)")
            #expect(resident < residentBound, "\(resident) bytes in \(rounds) rounds: \(run.text)")
        }
    }

    /// The defects that these tests look for were in unoptimised code, so a debug build does all rounds. In an
    /// optimised build, fewer rounds show a block that each round leaves.
    #if DEBUG
    private static let mostRounds = Int.max
    #else
    private static let mostRounds = 30_000
    #endif

    /// The growth from which the test fails, in bytes.
    ///
    /// Less than one byte per round of 300,000, and eight per round of fewer than 30,000, while the smallest block of
    /// malloc has 24. Caches and tables of libraries may grow a little.
    private static func bound(_ rounds: Int) -> Int { min(250_000, 8 * rounds) }
    /// Larger, because free memory inside the heap counts as resident.
    private static let residentBound = 4_000_000

    @Test func memoryGrowthOfTheControlIsDetected() async throws {
        let rounds = 10_000
        let run = try await VolumeRun(of: "(control) a closure wrapped at each round", rounds: rounds)
        let growth = try #require(run.allocatedGrowth, "\(run.text)")
        #expect(growth > Self.bound(rounds), "\(run.text)")
    }

    @Test func stackOverflowOnReleaseIsDetected() async throws {
        let run = try await VolumeRun(of: "(control) a closure wrapped at each round", rounds: 1_000_000)
        // The program ends by a signal, which a sanitizer turns into an exit code.
        #expect(run.status != 0, "\(run.text)")
    }

    @Test func unknownKindOfRoundsIsRefused() async throws {
        #expect(try await VolumeRun(of: "no such rounds", rounds: 100).status == 2)
    }
}
