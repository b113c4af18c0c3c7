import Testing

/// A library that another library loads, while the program runs under `run`.
@Suite(.timeLimit(.minutes(20))) struct RunLoadedLibraryTests {
    /// The agent looks for new libraries once a second; no request, and no other class, makes it look.
    @Test func classesOfALibraryThatALibraryInCLoadsAreTraced() async throws {
        let (host, guest) = try (GuestLibrary(.host), GuestLibrary())
        let type = "Guest.Guest"
        let run = try await SteppedRun(words: ["host", host.path, guest.path])
        var steps = 1
        let first = try await eventually("the objects of the library are counted") {
            steps += 1
            try await run.step(steps)
            return try await run.counts(of: type)
        }
        #expect(first.live > 0)
        // Each step creates five objects and keeps three.
        try await run.step(steps + 1)
        #expect(
            try await run.counts(of: type)
                == SteppedRun.Counts(
                    live: first.live + 3, peak: first.live + 5, born: first.born + 5, died: first.died + 2))
    }

    @Test func classesOfALibraryThatAProgramInCLoadsAreTraced() async throws {
        let (program, guest) = try (GuestLibrary(.program), GuestLibrary())
        let run = try await SteppedRun(words: [guest.path], program: program.path)
        var steps = 1
        let first = try await eventually("the objects of the library are counted") {
            steps += 1
            try await run.step(steps)
            return try await run.counts(of: "Guest.Guest")
        }
        let classes = try await run.classes()
        #expect(classes.traced && classes.reason == nil && classes.images == 1)
        try await run.step(steps + 1)
        #expect(try await run.counts(of: "Guest.Guest")?.live == first.live + 3)
    }

    @Test func programInCThatHasLoadedNoSwiftIsTold() async throws {
        let (program, library) = try (GuestLibrary(.program), GuestLibrary(.guestInC))
        let run = try await SteppedRun(words: [library.path], program: program.path)
        let classes = try await run.classes()
        #expect(!classes.traced && classes.reason == "the program has loaded no code of Swift that allocates objects")
    }

    /// To Swift, the classes of two copies are different ones, also if their names are equal.
    @Test func copiesOfALibraryHaveRowsOfTheirOwn() async throws {
        let (host, guests) = try (GuestLibrary(.host), [GuestLibrary(), GuestLibrary()])
        let run = try await SteppedRun(words: ["host", host.path, guests.map(\.path).joined(separator: ":")])
        var steps = 1
        let live = try await eventually("the objects of both copies are counted") {
            steps += 1
            try await run.step(steps)
            let counts = try await [run.counts(of: "Guest.Guest"), run.counts(of: "Guest.Guest (2)")]
            return counts.contains(nil) ? nil : counts.compactMap { $0?.live }
        }
        #expect(live.allSatisfy { $0 > 0 && $0 % 3 == 0 }, "\(live)")
        #expect(try await run.counts(of: "Guest.Guest (3)") == nil)
    }
}
