import Foundation
import LifetimeTracer
import Testing

@testable import tracer_server

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The user interface of the real program: output, signals, addresses, errors.
@Suite(.timeLimit(.minutes(20))) struct DemoProgramTests {
    @Test(arguments: [SIGTERM, SIGINT]) func demoStopsAtASignal(_ signal: Int32) async throws {
        let demo = try await DemoRun()
        demo.program.send(signal)
        #expect(try await demo.program.exitStatus() == 0)
        #expect(demo.program.standardError.isEmpty, "\(demo.program.standardError)")
    }

    @Test func demoStopsDuringScenarios() async throws {
        let demo = try await DemoRun(["--play", "request-in-flight:leaking", "--play", "database-reload:mended"])
        _ = try await eventually("both runs have begun") {
            let scenarios: Wire.Scenarios = try await demo.get("api/v1/scenarios")
            return scenarios.scenarios.count { !$0.runs.isEmpty } == 2 ? true : nil
        }
        demo.program.send(SIGTERM)
        #expect(try await demo.program.exitStatus() == 0)
    }

    @Test func firstLineNamesTheListeningAddress() async throws {
        let demo = try await DemoRun()
        #expect(demo.program.lines.first == "LifetimeTracer demo: \(demo.base)")
        #expect(demo.base.hasPrefix("http://127.0.0.1:") && demo.base.hasSuffix("/") && !demo.base.hasSuffix(":0/"))
        let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: demo.base)))
        #expect(String(decoding: data.prefix(200), as: UTF8.self).lowercased().contains("<!doctype html"))
    }

    @Test func wildcardDemoPrintsAUsableURLAndHidesTheAccessToken() async throws {
        let program = try ProgramRun(
            ["demo", "--listen", "0.0.0.0:0", "--allow-host", "localhost.example"],
            environment: ["LIFETIME_TRACER_TOKEN": "hush-hush-hush-hush"])
        let lines = try await eventually("the demo has greeted") { program.lines.count >= 2 ? program.lines : nil }
        let url = try #require(lines[0].split(separator: " ").last)
        #expect(lines[0] == "LifetimeTracer demo: \(url)")
        #expect(url.hasPrefix("http://127.0.0.1:"))
        #expect(lines[1].contains("\(url)?token=…"))
        #expect(!program.standardOutput.contains("hush-hush"))
        let (_, response) = try await URLSession.shared.data(
            from: try #require(URL(string: url + "?token=hush-hush-hush-hush")))
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test func checkHelpListsEveryExitStatus() {
        let help = CheckCommand.syntax.helpText
        for status in [ExitCode.success, .failure, .unknown, .usage] {
            #expect(help.split { !$0.isNumber }.contains("\(status.rawValue)"), "\(status)")
        }
    }

    @Test func demoListensOnAUnixSocket() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lt-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "demo.sock").path
        let program = try ProgramRun([
            "demo", "--listen", "unix:\(path)", "--play", "request-in-flight:mended",
        ])
        let line = try await eventually("the demo says where it listens") { program.lines.first }
        #expect(line == "LifetimeTracer demo: unix:\(path)")

        let transport = SocketTransport(address: .unix(path: path), token: nil, timeout: .seconds(30))
        let steps = try await eventually("the scenario is over") {
            let reply = try await transport.get("api/v1/scenarios")
            let scenarios = try JSONDecoder().decode(Wire.Scenarios.self, from: Data(reply.body)).scenarios
            return scenarios.first { $0.name == "request-in-flight" }?.runs.first?.ifDone?.steps
        }
        #expect(steps.contains("the server saw 2 cancellations"), "\(steps)")
        program.send(SIGTERM)
        #expect(try await program.exitStatus() == 0)
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func portInUseIsReported() async throws {
        let demo = try await DemoRun()
        let address = String(demo.base.dropFirst("http://".count).dropLast())
        let second = try ProgramRun(["demo", "--listen", address])
        #expect(try await second.exitStatus() == 1)
        let error = second.standardError
        #expect(error.contains(address) && error.contains("Address already in use"), "\(error)")
        #expect(error.filter { $0 == "\n" }.count == 1, "\(error)")
        #expect(second.standardOutput.isEmpty)
    }

    @Test func nonLoopbackAddressRequiresAnAccessToken() async throws {
        let open = try ProgramRun(["demo", "--listen", "0.0.0.0:0"])
        #expect(try await open.exitStatus() == 1)
        #expect(open.standardError.contains("LIFETIME_TRACER_TOKEN"), "\(open.standardError)")
        let short = try ProgramRun(["demo", "--listen", ":0"], environment: ["LIFETIME_TRACER_TOKEN": "secret"])
        #expect(try await short.exitStatus() == 1)
        #expect(short.standardError.contains("openssl rand -hex 16"), "\(short.standardError)")
        let missing = try ProgramRun(["demo", "--listen", ":0", "--token-file", "/nonexistent/token"])
        #expect(try await missing.exitStatus() == 1)
        #expect(missing.standardError.contains("\"/nonexistent/token\" cannot be opened"), "\(missing.standardError)")

        let guarded = try ProgramRun(
            ["demo", "--listen", "0.0.0.0:0", "--play", "request-in-flight:mended"],
            environment: ["LIFETIME_TRACER_TOKEN": "a-secret-of-20-bytes"])
        let line = try await eventually("the demo says where it listens") { guarded.lines.first }
        let port = try #require(line.split(separator: ":").last?.dropLast())
        let address = ServerAddress.tcp(host: "127.0.0.1", port: try #require(UInt16(port)))
        let refused = try await SocketTransport(address: address, token: nil, timeout: .seconds(30))
            .get("api/v1/summary")
        #expect(refused.status == 401)
        let transport = SocketTransport(address: address, token: "a-secret-of-20-bytes", timeout: .seconds(30))
        let steps = try await eventually("the scenario is over") {
            let reply = try await transport.get("api/v1/scenarios")
            let scenarios = try JSONDecoder().decode(Wire.Scenarios.self, from: Data(reply.body)).scenarios
            return scenarios.first { $0.name == "request-in-flight" }?.runs.first?.ifDone?.steps
        }
        #expect(steps.contains("the server saw 2 cancellations"), "\(steps)")
    }

    /// Starts all twelve runs, which is more than may run at a time.
    @Test func playOptionRunsTheNamedScenarios() async throws {
        let plays = Scenario.all.flatMap { ["--play", "\($0.name):leaking", "--play", "\($0.name):mended"] }
        let demo = try await DemoRun(plays)
        let scenarios = try await eventually("all are over") {
            let scenarios = try await demo.get("api/v1/scenarios", as: Wire.Scenarios.self).scenarios
            return scenarios.allSatisfy { $0.runs.count { $0.state == "done" } == 2 } ? scenarios : nil
        }
        #expect(scenarios.allSatisfy { Set($0.runs.map(\.form)) == ["leaking", "mended"] })
        #expect(scenarios.flatMap(\.runs).allSatisfy { run in !run.steps.contains { $0.hasPrefix("failed") } })
        // The leaking forms leak the same objects as when they are played one by one. On a busy machine, an object of a
        // mended form may miss its deadline and become late.
        let verdicts = try await eventually("nothing but the leaks is overdue") {
            let verdicts = try await demo.verdicts()
            return verdicts.overdue == 8 ? verdicts : nil
        }
        #expect(verdicts.late >= 2)
        #expect(verdicts.orphaned == 4)
        #expect(verdicts.crowded == 1)
    }

    @Test(arguments: [
        (["--creation-stacks"], [:]), ([], ["LIFETIME_TRACER_STACKS": "1"]), ([], ["LIFETIME_TRACER_STACKS": "0"]),
    ]) func optionOrVariableEnablesCreationStacks(_ options: [String], _ environment: [String: String]) async throws {
        let isAsked = environment["LIFETIME_TRACER_STACKS"] != "0"
        let demo = try await DemoRun(["--play", "keyboard-observer:leaking"] + options, environment: environment)
        let summary: Wire.Recording = try await demo.get("api/v1/summary")
        #expect(summary.creationStacks == isAsked && summary.tracing)
        let stack = try await eventually("a screen is overdue") {
            try await demo.get("api/v1/overdue", as: Wire.Stacks.self).groups.first?.instances.first
        }.creationStack
        let functions = stack?.map(\.function)
        #expect((functions != nil) == isAsked)
        #expect(functions?.contains { $0.contains("TextScreen.init") } ?? true, "\(functions ?? [])")
        #expect(stack?.allSatisfy { !$0.module.isEmpty } ?? true)
    }

    @Test func unknownScenariosAndFormsAreRefused() async throws {
        let demo = try await DemoRun()
        for path in ["nobody/leaking", "coordinators/broken"] {
            let (status, body) = try await demo.post("api/v1/scenarios/\(path)")
            #expect(status == 404)
            #expect(String(decoding: body, as: UTF8.self).contains("unknownScenario"))
        }
    }

    @Test(.timeLimit(.minutes(20))) func atMostEightScenarioRunsAreActive() async throws {
        let demo = try await DemoRun()
        // On a busy machine, a run may end before the ninth is requested, so the test requests runs until one is
        // refused.
        var accepted = 0
        while true {
            let (status, body) = try await demo.post("api/v1/scenarios/request-in-flight/leaking")
            guard status == 202 else {
                #expect(status == 429)
                #expect(String(decoding: body, as: UTF8.self).contains("tooManyRuns"))
                break
            }
            accepted += 1
            let runs = try await demo.get("api/v1/scenarios", as: Wire.Scenarios.self).scenarios.flatMap(\.runs)
            #expect(runs.count { $0.state == "running" } <= 8)
        }
        #expect(accepted >= 8)
    }

    @Test func demoHasLiveInstancesBeforeAnyScenario() async throws {
        let demo = try await DemoRun()
        let background = try await eventually("sessions and requests are live") {
            let types = try await demo.get("api/v1/types", as: Wire.Kinds.self).types
            let background = types.filter { $0.group == Workload.group && $0.live > 0 }
            return background.count == 3 ? background : nil
        }
        #expect(Set(background.map(\.name)) == ["ClientSession", "Heartbeat", "RequestHandler"])
        #expect(try await demo.verdicts() == Wire.Verdicts())
    }

    @Test(arguments: [
        ([], "missing command; known commands: run, demo, check, why, top"),
        (["paly"], "unknown command \"paly\""),
        (["two\nlines"], "unknown command"),
        (["--version", "foo"], "unexpected argument \"foo\" after --version"),
        (["--help", "foo"], "unexpected argument \"foo\" after --help"),
        (["demo", "--listen", ":0", "--allow-host", "http://box/"], "\"http://box/\" is not a valid allowed host"),
        (["check", "https://127.0.0.1:1/"], "expected http://HOST:PORT/, HOST:PORT or unix:PATH"),
        (["--verbose"], "unknown option \"--verbose\""),
        (["demo", "--listen", "127.0.0.1:99999"], "99999"),
        (["demo", "--play", "nobody:leaking"], "\"nobody\""),
        (["check"], "missing argument URL"),
        (["check", "http://127.0.0.1:1/", "--max-overdue", "-1"], "\"-1\""),
    ]) func usageErrorsAreOneLine(_ arguments: [String], _ part: String) async throws {
        let program = try ProgramRun(arguments)
        #expect(try await program.exitStatus() == 64)
        #expect(program.standardError.contains(part) && program.standardError.contains("--help"))
        #expect(program.standardError.filter { $0 == "\n" }.count == 1, "\(program.standardError)")
        #expect(program.standardOutput.isEmpty)
    }

    @Test(arguments: [["--help"], ["demo", "--help"], ["check", "--help"], ["demo", "--listen", ":0", "--help"]])
    func helpIsOnStandardOutput(_ arguments: [String]) async throws {
        let program = try ProgramRun(arguments)
        #expect(try await program.exitStatus() == 0)
        #expect(program.standardOutput.hasPrefix("usage: tracer-server"))
        #expect(program.standardError.isEmpty)
    }

    @Test func versionOptionPrintsTheLibraryVersion() async throws {
        let program = try ProgramRun(["--version"])
        #expect(try await program.exitStatus() == 0)
        #expect(program.standardOutput == "tracer-server \(TracerVersion.current)\n")
    }
}
