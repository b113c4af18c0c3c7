import Foundation
import LifetimeTracer
import Testing
import TracerBase

@testable import tracer_server

/// The options of `run`.
@Suite struct RunOptionsTests {
    private func options(_ words: [String], environment: String? = nil) throws -> RunOptions {
        guard case .run(let arguments) = try RunCommand.syntax.parse(words) else {
            throw NotInTime(description: "help")
        }
        return try RunOptions(arguments, environment: environment)
    }

    @Test func wordsBehindTheProgramAreNotRead() throws {
        let options = try options(["--listen", "0", "program", "--listen", "--", "--follow", "-x"])
        #expect(options.program == "program" && options.argumentCount == 4)
        #expect(options.address == "0" && !options.follows)
        #expect(try self.options(["--follow", "--", "--program", "--help"]).program == "--program")
        #expect(try self.options(["--", "program"]).argumentCount == 0)
    }

    @Test func addressHasDefaults() throws {
        #expect(try options(["program"]).address == "127.0.0.1:8089")
        #expect(try options(["--follow", "program"]).address == "127.0.0.1:0")
        #expect(try options(["--follow", "--listen=:1", "program"]).address == ":1")
        #expect(try options(["program"], environment: "9000").address == "9000")
        #expect(try options(["program"], environment: "off").address == "127.0.0.1:8089")
        #expect(try options(["--listen", "1", "program"], environment: "nonsense").address == "1")
    }

    @Test(
        arguments: [
            ([], nil, "missing argument PROGRAM"), (["--listen", "0"], nil, "missing argument PROGRAM"),
            (["--listen", "nowhere:1", "program"], nil, "--listen \"nowhere:1\" is not an address"),
            (["program"], "nowhere:1", "LIFETIME_TRACER \"nowhere:1\" is not an address"),
            (["--follow=yes", "program"], nil, "--follow takes no value"),
            (["--linger", "program"], nil, "unknown option \"--linger\""),
            (["--follow", "--stay", "program"], nil, "--stay concerns the exit of one program"),
            (["--follow", "--summary", "program"], nil, "--summary concerns the exit of one program"),
            (["--summary=1", "program"], nil, "--summary takes no value"),
            (["--follow", "--fail-on-leaks", "program"], nil, "so it cannot be combined with --follow"),
            (["--follow", "--report", "file", "program"], nil, "--report concerns the exit of one program"),
            (["--report=", "program"], nil, "--report requires the path of a file"),
            (["--report=/dev/stdout", "program"], nil, "--report \"/dev/stdout\" is a descriptor"),
            (["--report=-", "program"], nil, "--report \"-\" is a descriptor"),
            (["--report=/dev/fd/3", "program"], nil, "pass the path of a file, or /dev/stderr"),
            (["--rules", "", "program"], nil, "--rules requires the path of a file"),
            (["--stacks", "--no-classes", "program"], nil, "--stacks concerns traced classes"),
            (["--search-limit", "5", "program"], nil, "--search-limit concerns the search for leaks at exit"),
            (["--search-limit", "0", "program"], nil, "--search-limit \"0\" is not a number of seconds"),
        ] as [([String], String?, String)]) func usageErrorNamesTheProblem(
            _ words: [String], _ environment: String?, _ part: String
        )
    {
        let error = #expect(throws: UsageError.self) { try options(words, environment: environment) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
