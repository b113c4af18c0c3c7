import LifetimeTracerDashboard
import LifetimeTracerServer
import Testing
import TracerBase

@testable import tracer_server

@Suite struct CommandParsingTests {
    private static let syntax = CommandSyntax(
        call: "tool", summary: "Does things.", operands: [.init(name: "FILE", help: "The file.")],
        options: [
            .init("--count", "N", help: "How many."),
            .init("--tag", "TEXT", isRepeatable: true, help: "A tag."),
            .init("--loud", help: "Makes noise."),
        ], exitStatuses: [.init(code: .success, meaning: "The file is tagged."), .usage], notes: ["A note."])

    private func parsed(_ words: [String]) throws -> Arguments {
        guard case .run(let arguments) = try Self.syntax.parse(words) else { throw NotInTime(description: "help") }
        return arguments
    }

    @Test func valueFollowsItsOptionOrAnEqualsSign() throws {
        let arguments = try parsed(["--count", "3", "--tag=a=b", "file", "--tag", "", "--loud"])
        #expect(try arguments.count("--count") == 3)
        #expect(arguments.all("--tag") == ["a=b", ""])
        #expect(arguments.operands == ["file"])
        #expect(arguments.text("--loud") != nil)
    }

    @Test func argumentsAfterDoubleDashAreOperands() throws {
        #expect(try parsed(["--", "--count"]).operands == ["--count"])
        #expect(try parsed(["-"]).operands == ["-"])
    }

    @Test(arguments: [
        (["file", "--cuont", "3"], "unknown option \"--cuont\"; known options: --count, --tag, --loud, --help"),
        (["file", "-c"], "unknown option \"-c\"; known options: --count, --tag, --loud, --help"),
        (["file", "--COUNT=1"], "unknown option \"--COUNT\"; known options: --count, --tag, --loud, --help"),
        (["file", "--count"], "--count requires a value: --count N"),
        (["file", "--count", "--loud"], "--count requires a value: --count N"),
        (["file", "--count", "1", "--count", "2"], "--count is given more than once"),
        (["file", "--loud", "--loud"], "--loud is given more than once"),
        (["file", "--loud=yes"], "--loud takes no value, but \"yes\" was given"),
        (["file", "other"], "unexpected argument \"other\""),
        (["--loud"], "missing argument FILE"),
    ]) func usageErrorNamesTheProblem(_ words: [String], _ problem: String) {
        #expect(throws: UsageError(call: "tool", problem: problem)) { try Self.syntax.parse(words) }
    }

    @Test(arguments: ["-1", "", "x", "1.5", "+1", "0x1", " 1", "99999999999999999999", "١"])
    func countsAreWholeNumbersFromZero(_ text: String) throws {
        let arguments = try parsed(["file", "--count=\(text)"])
        #expect(throws: UsageError(call: "tool", problem: "--count \"\(text)\" is not a non-negative integer")) {
            try arguments.count("--count")
        }
    }

    @Test(arguments: ["-1", "", "x", "1e3", "inf", "nan", "0x1", "11", "1.2.3", ".", "+1"])
    func secondsAreNumbersInTheirRange(_ text: String) throws {
        let arguments = try parsed(["file", "--count=\(text)"])
        #expect(
            throws: UsageError(call: "tool", problem: "--count \"\(text)\" is not a number of seconds from 0 to 10")
        ) { try arguments.seconds("--count", in: 0...10) }
    }

    @Test func secondsMayHaveAFraction() throws {
        #expect(try parsed(["file", "--count", "2.5"]).seconds("--count", in: 0...10) == 2.5)
        #expect(try parsed(["file", "--count", "0"]).seconds("--count", in: 0...10) == 0)
        #expect(try parsed(["file"]).seconds("--count", in: 0...10) == nil)
    }

    @Test func controlCharactersAreReplaced() {
        #expect("a\u{1B}[31m\nb\u{9B}c\u{7F}é".printable == "a\u{FFFD}[31m\u{FFFD}b\u{FFFD}c\u{FFFD}é")
    }

    @Test func helpOptionOverridesLaterArguments() throws {
        guard case .help = try Self.syntax.parse(["--help", "--nonsense"]) else {
            Issue.record("no help")
            return
        }
    }

    /// The parser and the help read the same table, so a table that names an option twice would make one of them wrong.
    @Test(arguments: TracerServerProgram.commands)
    func helpListsEveryOptionOfTheParser(_ syntax: CommandSyntax) throws {
        let help = syntax.helpText
        #expect(Set(syntax.options.map(\.name)).count == syntax.options.count)
        for option in syntax.options {
            #expect(help.contains(option.name))
            #expect(option.value.map { help.contains("\(option.name) \($0)") } ?? true)
            let words = option.value == nil ? [option.name] : [option.name, "x"]
            _ = try syntax.parse(words + syntax.operands.map { _ in "operand" })
        }
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 100 }, "\(help)")
    }

    @Test func helpKeepsColumnsAndParagraphs() {
        #expect(
            Self.syntax.helpText == """
                usage: tool FILE [--count N] [--tag TEXT]… [--loud] [--help]

                Does things.

                arguments:
                  FILE  The file.

                options:
                  --count N   How many.
                  --tag TEXT  A tag.
                  --loud      Makes noise.
                  --help      Print this help text and exit.

                exit status:
                  0   The file is tagged.
                  64  The command line is invalid.

                A note.
                """)
    }
}

@Suite struct DemoOptionsTests {
    private func options(_ words: [String]) throws -> DemoOptions {
        guard case .run(let arguments) = try DemoCommand.syntax.parse(words) else {
            throw NotInTime(description: "help")
        }
        return try DemoOptions(arguments)
    }

    @Test func demoOptionsHaveDefaults() throws {
        let options = try options([])
        #expect(options.address == .tcp(host: "127.0.0.1", port: 8089))
        #expect(options.plays.isEmpty)
    }

    @Test func addressAndPlayOptionsAreParsed() throws {
        let options = try options([
            "--listen", "unix:/tmp/x", "--play", "coordinators:mended", "--play=coordinators:leaking",
        ])
        #expect(options.address == .unix(path: "/tmp/x"))
        #expect(
            options.plays == [
                Play(name: "coordinators", form: .mended), Play(name: "coordinators", form: .leaking),
            ])
        #expect(try self.options(["--allow-host", "a", "--allow-host=b"]).allowedHosts == ["a", "b"])
        #expect(try self.options(["--creation-stacks"]).recordsCreationStacks)
        #expect(!options.recordsCreationStacks)
        #expect(try self.options(["--listen", ":0"]).address == .tcp(host: "127.0.0.1", port: 0))
    }

    @Test(arguments: [
        (["--listen", "nowhere:1"], "nowhere"),
        (["--listen", "unix:"], "unix:"),
        (["--listen", ":1", "--listen", ":2"], "--listen is given more than once"),
        (["--play", "coordinators"], "\"coordinators\" is not NAME:FORM, for example keyboard-observer:leaking"),
        (["--play", "a:b:c"], "\"a:b:c\" is not NAME:FORM"),
        (
            ["--play", "nobody:leaking"],
            "known scenarios: keyboard-observer, dismissed-screen, database-reload, request-in-flight, "
                + "coordinators, untraced-cache"
        ),
        (["--play", "coordinators:broken"], "unknown form \"broken\"; known forms: leaking, mended"),
        (["--play", "coordinators:"], "unknown form \"\""),
        (["--creation-stacks=yes"], "--creation-stacks takes no value, but \"yes\" was given"),
        (["extra"], "unexpected argument \"extra\""),
    ]) func usageErrorNamesTheProblem(_ words: [String], _ part: String) {
        let error = #expect(throws: UsageError.self) { try options(words) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
        #expect(error?.description.hasSuffix("(see tracer-server demo --help)") == true)
    }
}

@Suite struct CheckOptionsTests {
    private func options(_ words: [String]) throws -> CheckOptions {
        guard case .run(let arguments) = try CheckCommand.syntax.parse(words) else {
            throw NotInTime(description: "help")
        }
        return try CheckOptions(arguments)
    }

    @Test func defaultLimitsAreZero() throws {
        let options = try options(["http://127.0.0.1:8089/"])
        let none: [CheckFinding.Kind: Int] = [
            .overdue: 0, .orphaned: 0, .overBudget: 0, .brokenInvariants: 0, .crowded: 0, .growing: 0,
        ]
        #expect(options.limits == none && options.maxLive.isEmpty)
        #expect(options.wait == .zero && options.timeout == .seconds(10))
        #expect(!options.printsJSON && options.junitPath == nil)
    }

    @Test func limitAndOutputOptionsAreParsed() throws {
        let options = try options([
            "unix:/tmp/x", "--max-overdue", "2", "--max-orphaned=3", "--max-live", "Demo.Screen=0", "--max-live",
            "Box<A=B>=4",
            "--wait", "1.5", "--max-over-budget", "4", "--max-broken", "5", "--max-crowded", "6", "--max-growing", "7",
            "--max-late", "8", "--timeout", "0.5", "--json", "--junit", "x.xml",
        ])
        let limits: [CheckFinding.Kind: Int] = [
            .overdue: 2, .orphaned: 3, .overBudget: 4, .brokenInvariants: 5, .crowded: 6, .growing: 7, .late: 8,
        ]
        #expect(options.address == .unix(path: "/tmp/x"))
        #expect(options.limits == limits && options.wait == .milliseconds(1500))
        #expect(options.timeout == .milliseconds(500) && options.printsJSON && options.junitPath == "x.xml")
        #expect(
            options.maxLive == [.init(type: "Demo.Screen", limit: 0), .init(type: "Box<A=B>", limit: 4)])
    }

    @Test(arguments: [
        (["ftp://host/"], "\"ftp://host/\" is not a server address"),
        (["http://host/", "--timeout", "0"], "--timeout \"0\" is not a number of seconds from 0.001 to 3600"),
        (["http://host/", "--max-broken", "x"], "--max-broken \"x\" is not a non-negative integer"),
        (["http://host/", "--junit", ""], "--junit requires a file name"),
        (["http://host/", "--json", "--junit", "-"], "cannot both write to standard output"),
        (["http://host/", "--json=yes"], "--json takes no value"),
        (["http://host/", "--max-overdue", "-1"], "--max-overdue \"-1\" is not a non-negative integer"),
        (["http://host/", "--max-orphaned", "many"], "--max-orphaned \"many\""),
        (["http://host/", "--max-live", "Screen"], "--max-live \"Screen\" is not TYPE=N"),
        (["http://host/", "--max-live", "=3"], "--max-live \"=3\" is not TYPE=N"),
        (["http://host/", "--max-live", "Screen=-1"], "--max-live \"Screen=-1\" is not TYPE=N"),
        (["http://host/", "--max-live", "A=1", "--max-live", "A=2"], "given more than once for \"A\""),
        (["http://host/", "--wait", "forever"], "--wait \"forever\""),
        (["http://host/", "--wait", "86401"], "--wait \"86401\""),
        (["http://host/", "http://other/"], "unexpected argument \"http://other/\""),
    ]) func usageErrorNamesTheProblem(_ words: [String], _ part: String) {
        let error = #expect(throws: UsageError.self) { try options(words) }
        #expect(error?.description.contains(part) == true, "\(error?.description ?? "")")
    }
}
