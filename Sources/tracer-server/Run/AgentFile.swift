import LifetimeTracer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The agent's file, which belongs to this program.
struct AgentFile: Sendable, Equatable {
    static let name = "libTracerAgent.so"

    let path: String
    let machine: ELFFile.Machine

    /// Finds the agent beside this program, then in `../lib`.
    static func find() throws(RunRefusal) -> AgentFile {
        // `realpath` returns a copy that the caller must free.
        guard let own = realpath("/proc/self/exe", nil) else {
            throw RunRefusal("the folder of tracer-server is unknown: \(SystemError.last)")
        }
        defer { free(own) }
        let folder = String(cString: own).split(separator: "/").dropLast().map { "/\($0)" }.joined()
        return try find(in: [folder, folder.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/lib"])
    }

    static func find(in folders: [String]) throws(RunRefusal) -> AgentFile {
        let paths = folders.map { "\($0)/\(name)" }
        guard let path = paths.first(where: { access($0, F_OK) == 0 }) else {
            throw RunRefusal(
                "the agent is missing: looked for \(paths.joined(separator: " and ")); build it with "
                    + "\"swift build --product TracerAgent\", in the same configuration as tracer-server")
        }
        return try AgentFile(path)
    }

    private init(_ path: String) throws(RunRefusal) {
        // The loader splits its list at these characters, and replaces text after a dollar sign.
        guard !path.contains(where: { ": $".contains($0) }) else {
            throw RunRefusal(
                "the path of the agent, \(path), contains a space, a colon or a dollar sign, which LD_PRELOAD cannot "
                    + "express; move tracer-server and the agent to another folder")
        }
        let file: ELFFile
        do throws(ELFFile.Failure) {
            file = try ELFFile(path)
        } catch {
            throw RunRefusal("the agent cannot be used: \(RunRefusal(path, error))")
        }
        guard file.tracerVersion == TracerVersion.current else {
            throw RunRefusal(
                "the agent \(path) has version \(file.tracerVersion ?? "unknown"), but tracer-server has version "
                    + "\(TracerVersion.current); build both from the same sources")
        }
        try Self.compare(file.runInterface, path)
        guard file.libraries.contains(SwiftRuntime.fileName) else {
            throw RunRefusal(
                "the agent \(path) contains a Swift runtime of its own, which must not join a program; build it "
                    + "without --static-swift-stdlib")
        }
        self.path = path
        machine = file.machine
    }

    /// Refuses an agent that was built from other sources of the same version, or by another toolchain, if that changes
    /// what this program and the agent expect from each other.
    private static func compare(_ agent: RunInterface?, _ path: String) throws(RunRefusal) {
        guard let own = RunInterface.own, agent != own else { return }
        let version = TracerVersion.current
        guard let agent else {
            throw RunRefusal(
                "the agent \(path) was built from older sources of version \(version) than tracer-server; build both "
                    + "from the same sources")
        }
        guard agent.toolchain == own.toolchain else {
            throw RunRefusal(
                "the agent \(path) was built by \(agent.toolchain.printable), but tracer-server by "
                    + "\(own.toolchain.printable); build both with the toolchain of the program")
        }
        throw RunRefusal(
            "the agent \(path) was built from other sources of version \(version) than tracer-server; they differ in "
                + "\(own.difference(from: agent)); build both from the same sources")
    }
}
