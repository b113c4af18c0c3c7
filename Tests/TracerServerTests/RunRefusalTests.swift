import Foundation
import LifetimeTracer
import Testing
import TracerBase

@testable import tracer_server

/// Programs that `run` does not start, each with its reason.
@Suite(.timeLimit(.minutes(20))) struct RunRefusalTests {
    private static let program: [UInt8] = (try? Data(contentsOf: Builds.plainProgram)).map { Array($0) } ?? []

    /// A folder that is removed with this object.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appending(path: "lifetime-tracer-run-\(UUID().uuidString)")

        init() throws {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(at: url)
        }

        func file(_ name: String, _ bytes: [UInt8], mode: Int = 0o755) throws -> String {
            let file = url.appending(path: name)
            try Data(bytes).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            return file.path
        }
    }

    /// Replaces bytes at an offset.
    private static func patched(_ offset: Int, _ bytes: [UInt8]) -> [UInt8] {
        var file = program
        file.replaceSubrange(offset..<offset + bytes.count, with: bytes)
        return file
    }

    /// Replaces a text by a shorter one.
    private static func replacing(_ old: String, with new: String, in file: [UInt8]) throws -> [UInt8] {
        let place = try #require(Data(file).range(of: Data(old.utf8)))
        var result = file
        let padding = [UInt8](repeating: 0, count: old.utf8.count - new.utf8.count)
        result.replaceSubrange(place, with: Array(new.utf8) + padding)
        return result
    }

    /// The first program header of a kind, as an offset.
    private static func programHeader(_ kind: UInt8) throws -> Int {
        try #require(stride(from: 64, to: 64 + 56 * Int(program[56]), by: 56).first { program[$0] == kind })
    }

    private func expectRefusal(_ path: String, _ reason: String) async throws {
        let run = try ProgramRun(["run", "--listen", "0", "--", path, "exit", "3"])
        #expect(try await run.exitStatus() == 64)
        #expect(run.standardOutput == "")
        #expect(run.standardError.contains(reason), "\(run.standardError)")
        #expect(run.standardError.hasPrefix("tracer-server run: "))
        #expect(run.standardError.split(separator: "\n").count == 1)
    }

    @Test(arguments: [
        ("script", "#!/bin/sh -e\nexit 3\n", 0o755, "is a script for /bin/sh -e; name the program"),
        ("script without interpreter", "#!\n", 0o755, "is a script for a shell"),
        ("text", "exit 3\n", 0o755, "is not an executable of this system (ELF)"),
        ("empty", "", 0o755, "is not an executable of this system (ELF)"),
        ("data", "exit 3\n", 0o644, "cannot be started: Permission denied (errno 13)"),
    ]) func textFilesAreRefused(_ name: String, _ text: String, _ mode: Int, _ reason: String) async throws {
        let folder = try Folder()
        try await expectRefusal(try folder.file(name, Array(text.utf8), mode: mode), reason)
    }

    @Test func pathsWithoutAProgramAreRefused() async throws {
        try await expectRefusal("/no/such/program", "cannot be started: No such file or directory (errno 2)")
        try await expectRefusal("no-such-program", "no program \"no-such-program\" in the folders of PATH")
        try await expectRefusal("", "the name of the program is empty")
        try await expectRefusal("/tmp", "\"/tmp\" is not a file")
        try await expectRefusal("/dev/null", "\"/dev/null\" is not a file")
    }

    @Test func pathThatIsNoTextIsToldApartFromAMissingFile() async throws {
        let run = try ProgramRun(
            ["-c", #"exec "$1" run --listen 0 "$(printf '/tmp/\377')""#, "sh", Builds.tracerServer.path],
            of: URL(filePath: "/bin/sh"))
        #expect(try await run.exitStatus() == 64)
        #expect(
            run.standardError.hasSuffix("; a path with bytes that are not UTF-8 needs a link with another name\n"),
            "\(run.standardError)")
    }

    @Test(arguments: [(0o4755, "setuid"), (0o2755, "setgid")])
    func programsWithMoreRightsAreRefused(_ mode: Int, _ right: String) async throws {
        let folder = try Folder()
        try await expectRefusal(
            try folder.file("program", Self.program, mode: mode), "runs with more rights than its caller (\(right))")
    }

    /// Gives a file the capability to use any port; not every file system and user can.
    private static func addCapability(to path: String) -> Bool {
        // The kernel's vfs_cap_data, version 2, in effect: the permitted and the inheritable set, twice 32 bits each.
        let value: [UInt8] = [1, 0, 0, 2, 0, 4, 0, 0] + [UInt8](repeating: 0, count: 12)
        // Swift's import of the C library lacks setxattr(2).
        guard let symbol = dlsym(nil, "setxattr") else { return false }
        typealias Function =
            @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, CInt) -> CInt
        // Safe: this is the function's signature.
        let setxattr = unsafeBitCast(symbol, to: Function.self)
        return setxattr(path, "security.capability", value, value.count, 0) == 0
    }

    private static let canAddCapabilities: Bool = {
        let folder = try? Folder()
        return (try? folder?.file("program", [])).map { addCapability(to: $0) } ?? false
    }()

    @Test(.enabled("files cannot be given capabilities here") { canAddCapabilities })
    func programsWithCapabilitiesAreRefused() async throws {
        let folder = try Folder()
        let path = try folder.file("program", Self.program)
        #expect(Self.addCapability(to: path))
        try await expectRefusal(path, "runs with more rights than its caller (file capabilities)")
    }

    @Test func programsOfOtherMachinesAreRefused() async throws {
        let folder = try Folder()
        try await expectRefusal(
            try folder.file("arm", Self.patched(18, [183, 0])), "was built for another machine: arm64, 64 bits")
        try await expectRefusal(
            try folder.file("small", Self.patched(4, [1])), "was built for another machine: x86-64, 32 bits")
        try await expectRefusal(
            try folder.file("foreign", Self.patched(5, [2, 1])), "machine number 15872, 64 bits, big-endian")
        try await expectRefusal(try folder.file("object", Self.patched(16, [1])), "is not a linked program")
    }

    @Test func programsWithoutTheLoaderOfGlibcAreRefused() async throws {
        let folder = try Folder()
        let header = try Self.programHeader(3)
        let withoutLoader = try folder.file("static", Self.patched(header, [0]))
        try await expectRefusal(withoutLoader, "is statically linked, or a library")
        let musl = try Self.replacing("ld-linux-x86-64.so.2", with: "ld-musl-x86_64.so.1", in: Self.program)
        try await expectRefusal(try folder.file("musl", musl), "ld-musl-x86_64.so.1, but the agent was built for glibc")
    }

    /// A damaged file must not end the command otherwise than by a refusal.
    @Test func damagedFilesAreRefused() throws {
        let folder = try Folder()
        let path = try folder.file("program", Self.program)
        func read() -> Bool { (try? ELFFile(path)) != nil }
        #expect(read())
        for length in [0, 1, 4, 19, 20, 40, 63, 64, 100, 500, Self.program.count / 2] {
            try Data(Self.program.prefix(length)).write(to: URL(filePath: path))
            #expect(!read(), "of \(length) bytes")
        }
        // Reading may succeed, but must not trap.
        for offset in 0..<64 + 56 * Int(Self.program[56]) {
            try Data(Self.patched(offset, [0xFF])).write(to: URL(filePath: path))
            _ = read()
        }
    }

    /// The list stands in for a program, which would take long to link; `Scripts/check-linkage` runs real ones.
    @Test func staticStandardLibraryIsRefused() throws {
        let error = #expect(throws: RunRefusal.self) { try examine(Builds.plainProgram.path, libraries: [:]) }
        #expect(error?.description.contains("contains its own Swift runtime (a static standard library)") == true)
    }

    @Test func runtimeOfAnotherVersionIsRefused() throws {
        let own = try #require(SwiftRuntime.ofThisProcess())
        let version = try #require(own.readVersion())
        let minor = try #require(Int(version.split(separator: ".")[1]))
        let folder = try Folder()
        let newer = try Self.replacing("v6_\(minor)_0", with: "v6_\(minor + 1)_0", in: Self.otherBuild(of: own))
        let path = try folder.file(SwiftRuntime.fileName, newer)
        let error = #expect(throws: RunRefusal.self) {
            try examine(Builds.plainProgram.path, libraries: [SwiftRuntime.fileName: path])
        }
        #expect(
            error?.description.contains(
                "uses Swift 6.\(minor + 1) (\(path)), but the agent was built for Swift \(version); build") == true,
            "\(error?.description ?? "")")
    }

    @Test func runtimeOfAnotherBuildIsADoubt() throws {
        let own = try #require(SwiftRuntime.ofThisProcess())
        #expect(try examine(Builds.plainProgram.path, libraries: [SwiftRuntime.fileName: own.path]).warnings == [])
        let folder = try Folder()
        let path = try folder.file(SwiftRuntime.fileName, Self.otherBuild(of: own))
        let examination = try examine(Builds.plainProgram.path, libraries: [SwiftRuntime.fileName: path])
        #expect(examination.usesAgent)
        #expect(examination.warnings.first?.contains("uses another build of Swift \(own.readVersion() ?? "")") == true)
    }

    @Test func unknownVersionsAreADoubt() throws {
        let folder = try Folder()
        let path = try folder.file(SwiftRuntime.fileName, Self.program)
        let examination = try examine(Builds.plainProgram.path, libraries: [SwiftRuntime.fileName: path])
        #expect(examination.warnings.first?.contains("(version unknown), is another build") == true)
        let agent = try AgentFile.find(in: [Builds.agent.deletingLastPathComponent().path])
        let unlisted = try ProgramExamination(
            of: Builds.plainProgram.path, machine: agent.machine, runtime: .ofThisProcess(), listing: { _, _ in nil })
        #expect(unlisted.usesAgent && unlisted.warnings.first?.contains("is unknown") == true)
    }

    private func examine(_ path: String, libraries: [String: String]) throws -> ProgramExamination {
        let agent = try AgentFile.find(in: [Builds.agent.deletingLastPathComponent().path])
        let lines = libraries.map { "\t\($0) => \($1) (0x00007f0000000000)" }
        return try ProgramExamination(
            of: path, machine: agent.machine, runtime: .ofThisProcess(),
            listing: { _, _ in LoaderListing(lines.joined(separator: "\n")) })
    }

    /// A runtime with another identity.
    private static func otherBuild(of runtime: SwiftRuntime) throws -> [UInt8] {
        var file = Array(try Data(contentsOf: URL(filePath: runtime.path)))
        let identity = try #require(runtime.buildID)
        let place = try #require(Data(file.prefix(4096)).range(of: Data(identity)))
        file[place.lowerBound] ^= 1
        return file
    }
}
