import Foundation
import LifetimeTracer
import Testing
import TracerBase

@testable import tracer_server

/// The search for the agent's file.
@Suite(.timeLimit(.minutes(20))) struct AgentFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "lifetime-tracer-\(UUID().uuidString)")

    private func refusal(in folders: [String]) -> String {
        do throws(RunRefusal) {
            return "found \(try AgentFile.find(in: folders).path)"
        } catch {
            return error.description
        }
    }

    @Test func missingAgentIsReportedWithTheFolders() async throws {
        // A link, which needs a folder of the same file system: a process that another test starts meanwhile could
        // inherit the descriptor with which a copy is written, and a file that is open for writing cannot be executed.
        let folder = Builds.tracerServer.deletingLastPathComponent().appending(path: folder.lastPathComponent)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let link = folder.appending(path: "tracer-server")
        try FileManager.default.linkItem(at: Builds.tracerServer, to: link)
        let run = try ProgramRun(["run", Builds.plainProgram.path, "exit", "3"], of: link)
        #expect(try await run.exitStatus() == 64)
        let lib = folder.deletingLastPathComponent().path + "/lib"
        #expect(
            run.standardError.contains(
                "the agent is missing: looked for \(folder.path)/libTracerAgent.so and \(lib)/libTracerAgent.so"),
            "\(run.standardError)")
    }

    @Test func agentIsFoundInTheSecondFolder() throws {
        let own = Builds.agent.deletingLastPathComponent().path
        #expect(refusal(in: ["/none", own]) == "found \(Builds.agent.path)")
    }

    @Test func unusableAgentIsRefused() throws {
        for name in ["a folder", "other"] {
            try FileManager.default.createDirectory(
                at: folder.appending(path: name), withIntermediateDirectories: true)
        }
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "a folder/libTracerAgent.so"), withDestinationURL: Builds.agent)
        #expect(refusal(in: [folder.path + "/a folder"]).contains("which LD_PRELOAD cannot express"))
        let other = folder.appending(path: "other/libTracerAgent.so")
        try FileManager.default.copyItem(at: Builds.plainProgram, to: other)
        #expect(refusal(in: [folder.path + "/other"]).contains("has version unknown, but tracer-server has version"))
        var agent = try Data(contentsOf: Builds.agent)
        let note = try #require(agent.range(of: Data("LifetimeTracer\0\0\(TracerVersion.current)\0".utf8)))
        agent[note.lowerBound + 16] = UInt8(ascii: "9")
        try agent.write(to: other)
        #expect(refusal(in: [folder.path + "/other"]).contains("has version 9"))
        try Data("text".utf8).write(to: other)
        #expect(refusal(in: [folder.path + "/other"]).contains("the agent cannot be used: "))
    }

    /// An agent of an older build would ignore an option that it does not know, or misread the memory that both share.
    @Test(
        arguments: [
            (0, "XifetimeTracerRun", "was built from older sources of version \(TracerVersion.current)"),
            (20, "\u{1}", "they differ in the memory that they share"),
            (28, "X", "was built by X"),
            (28 + 256 + 9, "X", "they differ in LIFETIME_TRACER, LIFETIME_XRACER"),
        ])
    func agentOfOtherSourcesOfTheSameVersionIsRefused(change: (place: Int, text: String, reason: String)) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var agent = try Data(contentsOf: Builds.agent)
        // The name of a note follows its sizes and its type, and is padded to 20 bytes.
        let note = try #require(agent.range(of: Data("\u{1}\0\0\0LifetimeTracerRun\0\0\0".utf8))).lowerBound + 4
        let bytes = Data(change.text.utf8)
        agent.replaceSubrange(note + change.place..<note + change.place + bytes.count, with: bytes)
        try agent.write(to: folder.appending(path: AgentFile.name))
        #expect(refusal(in: [folder.path]).contains(change.reason), "\(refusal(in: [folder.path]))")
    }

    @Test func noteOfTheAgentListsAllVariablesOfTheCommand() throws {
        let own = try #require(RunInterface.own)
        #expect(own.variables == Set(RunVariable.allCases.map(\.rawValue)))
        #expect(try ELFFile(Builds.agent.path).runInterface == own)
        #expect(try ELFFile(Builds.plainProgram.path).runInterface == nil)
        #expect(own.toolchain.contains("lang"), "\(own.toolchain)")
    }

    /// A program that is stripped has no symbols, but it keeps its notes.
    @Test func everyCopyOfTheLibraryStatesItsVersion() throws {
        #expect(try ELFFile(Builds.tracerServer.path).tracerVersion == TracerVersion.current)
        #expect(try ELFFile(Builds.agent.path).tracerVersion == TracerVersion.current)
        #expect(try ELFFile(Builds.plainProgram.path).tracerVersion == nil)
    }
}
