import TracerBase

/// Decides, from files alone, whether the agent can be loaded with a program.
struct ProgramExamination: Sendable, Equatable {
    /// Whether to start the program with the agent.
    let usesAgent: Bool
    /// Lines for the user about doubts that do not prevent the start.
    let warnings: [String]

    /// Examines a program.
    ///
    /// - Parameters:
    ///   - path: The program's file.
    ///   - machine: The machine for which the agent was built.
    ///   - runtime: The Swift runtime with which the agent was built; `nil` if unknown.
    ///   - list: Asks a loader for the libraries of a program.
    init(
        of path: String, machine: ELFFile.Machine, runtime: SwiftRuntime?,
        listing list: (_ loader: String, _ program: String) -> LoaderListing? = LoaderListing.ask
    ) throws(RunRefusal) {
        let program: ELFFile
        do throws(ELFFile.Failure) {
            program = try ELFFile(path, for: machine)
        } catch {
            throw RunRefusal(path, error)
        }
        guard program.machine == machine else {
            throw RunRefusal(
                "\"\(path)\" was built for another machine: \(program.machine); the agent was built for \(machine)")
        }
        guard program.isLinked else { throw RunRefusal("\"\(path)\" is not a linked program") }
        guard let loader = program.interpreter else {
            throw RunRefusal(
                "\"\(path)\" is statically linked, or a library, and so has no loader that could add the agent; link "
                    + "the program dynamically, or link LifetimeTracerServer into it")
        }
        guard loader.contains("ld-linux") else {
            throw RunRefusal(
                "\"\(path)\" needs the loader \(loader.printablePrefix), but the agent was built for glibc; build the "
                    + "program for glibc, or link LifetimeTracerServer into it")
        }
        guard let listing = list(loader, path) else {
            usesAgent = true
            warnings = [
                "the loader does not list the libraries of \"\(path)\", so the version of its Swift runtime is unknown"
            ]
            return
        }
        if Self.containsTracer(program, listing) {
            usesAgent = false
            warnings = [
                "\"\(path)\" contains LifetimeTracer itself, and a process must not have two copies, so it starts "
                    + "without the agent; it serves its page itself if it links LifetimeTracerServer"
            ]
            return
        }
        usesAgent = true
        guard let library = listing.paths[SwiftRuntime.fileName] else {
            guard !program.containsSwift else {
                throw RunRefusal(
                    "\"\(path)\" contains its own Swift runtime (a static standard library), which the agent cannot "
                        + "use; build the program without -static-stdlib, or link LifetimeTracerServer into it")
            }
            warnings = [
                "\"\(path)\" uses no Swift library, so the page can only show memory of C, if that, until the program "
                    + "loads Swift code"
            ]
            return
        }
        warnings = try Self.warnings(about: library, of: path, agentRuntime: runtime)
    }

    /// Whether the program or one of its libraries contains LifetimeTracer.
    private static func containsTracer(_ program: ELFFile, _ listing: LoaderListing) -> Bool {
        program.tracerVersion != nil
            || listing.paths.values.contains { path in
                (try? ELFFile(path))?.tracerVersion != nil
            }
    }

    /// Compares the program's Swift runtime with the agent's.
    private static func warnings(
        about library: String, of path: String, agentRuntime: SwiftRuntime?
    ) throws(RunRefusal) -> [String] {
        let found: SwiftRuntime
        do throws(ELFFile.Failure) {
            found = try SwiftRuntime(path: library)
        } catch {
            return ["the Swift runtime of \"\(path)\", \(library), cannot be read, so its version is unknown"]
        }
        if let build = found.buildID, build == agentRuntime?.buildID { return [] }
        let version = found.readVersion()
        guard let agentRuntime else {
            return [
                "the Swift runtime of the agent is unknown; that of \"\(path)\" is \(library), version "
                    + (version ?? "unknown")
            ]
        }
        let agentVersion = agentRuntime.readVersion()
        guard let version, let agentVersion else {
            return [
                "the Swift runtime of \"\(path)\", \(library) (version \(version ?? "unknown")), is another "
                    + "build than that of the agent, \(agentRuntime.path) (version \(agentVersion ?? "unknown"))"
            ]
        }
        guard version == agentVersion else {
            throw RunRefusal(
                "\"\(path)\" uses Swift \(version) (\(library)), but the agent was built for Swift \(agentVersion); "
                    + "build LifetimeTracer with the toolchain of the program")
        }
        return [
            "\"\(path)\" uses another build of Swift \(version) (\(library)) than the agent; if the program fails, "
                + "build LifetimeTracer with the toolchain of the program"
        ]
    }
}
