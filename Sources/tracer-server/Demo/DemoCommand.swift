import Foundation
import LifetimeTracer
import LifetimeTracerServer

/// `tracer-server demo`: serves a page on which leaks can be played.
enum DemoCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server demo",
        summary: "Serve a page that plays six real leaks, each in a leaking and a mended form.",
        options: [
            .init(
                "--listen", "ADDRESS",
                help:
                    "Listen on ADDRESS: 127.0.0.1:8089 (the default), 8089, :8089, [::1]:8089 or unix:PATH. Port 0 "
                    + "selects a free port."),
            .init(
                "--allow-host", "NAME", isRepeatable: true,
                help:
                    "Allow browsers to reach the server under NAME, a host name or an IP address. Loopback names and "
                    + "the addresses that the server listens on are always allowed. Can be repeated."),
            .init(
                "--token-file", "FILE",
                help:
                    "Require clients to send the access token in the first line of FILE. The environment variable "
                    + "LIFETIME_TRACER_TOKEN_FILE=FILE has the same effect; LIFETIME_TRACER_TOKEN contains the access "
                    + "token itself."),
            .init(
                "--play", "NAME:FORM", isRepeatable: true,
                help: "Play the scenario NAME at the start; FORM is leaking or mended. Can be repeated."),
            .init(
                "--creation-stacks",
                help:
                    "Record the creation stack of each object, and show the creation stacks of overdue objects. The "
                    + "environment variable LIFETIME_TRACER_STACKS=1 has the same effect, in every traced program."),
            .init(
                "--known-leaks", "FILE",
                help:
                    "Read known leaks with their reasons from FILE, and mark these leaks in retain paths. The "
                    + "environment variable LIFETIME_TRACER_KNOWN_LEAKS=FILE has the same effect, in every traced "
                    + "program."),
        ],
        notes: [
            "scenarios:\n" + Scenario.all.map { "  \($0.name): \($0.title)" }.joined(separator: "\n"),
            "The first line of standard output contains the address of the server. Control-C or SIGTERM stops the "
                + "demo.",
            "Clients on other machines need an access token: set LIFETIME_TRACER_TOKEN_FILE and listen on "
                + "0.0.0.0:8089. If clients reach this machine under a name instead of its own IP address, allow that "
                + "name with --allow-host.",
        ])

    static func run(_ words: [String]) async throws -> ExitCode {
        guard case .run(let arguments) = try syntax.parse(words) else {
            try StandardStreams.print(syntax.helpText)
            return .success
        }
        let options = try DemoOptions(arguments)
        // Created before the first line is printed, because a program that reads that line may send a signal at once.
        let stopSignal = StopSignal()
        let environment = ProcessInfo.processInfo.environment.filter { !$0.value.isEmpty }
        let limits: ServerLimits
        do throws(ServerError) {
            limits = try ServerLimits(list: environment["LIFETIME_TRACER_LIMITS"] ?? "")
        } catch {
            StandardStreams.printError("\(syntax.call): LIFETIME_TRACER_LIMITS: \(error)")
            return .failure
        }
        let demo: Demo
        let hasAccessToken: Bool
        do throws(ServerError) {
            let accessToken = try AccessToken.read(from: environment, fileOption: options.accessTokenFile)
            hasAccessToken = accessToken != nil
            // The environment's settings apply to the shared registry. The demo has its own registry and copies the
            // settings.
            demo = Demo(
                address: options.address, accessToken: accessToken, allowedHosts: options.allowedHosts,
                recordsCreationStacks: options.recordsCreationStacks || LifetimeRegistry.shared.recordsCreationStacks,
                knownLeaks: options.knownLeaks ?? environment["LIFETIME_TRACER_KNOWN_LEAKS"],
                rules: EnvironmentRules.inForce.map(RulesSource.rules) ?? .none, limits: limits)
            try demo.start()
        } catch let error where error.code == .invalidHost {
            throw syntax.error("--allow-host \(error)")
        } catch {
            StandardStreams.printError("\(syntax.call): \(error)")
            return .failure
        }
        // The demo runs even if no one reads its output.
        for line in greeting(demo.address ?? options.address, hasAccessToken: hasAccessToken) {
            try? StandardStreams.print(line)
        }
        let plays = Task { await demo.catalogue.playAll(options.plays) }
        await stopSignal.wait()
        plays.cancel()
        demo.stop()
        return .success
    }

    static func greeting(_ address: ListenAddress, hasAccessToken: Bool) -> [String] {
        let stopping = "Press Control-C to stop."
        let advice =
            switch address {
            case .tcp where hasAccessToken:
                "Open \(address.url)?token=… with the access token in a browser and play a leak. \(stopping)"
            case .tcp:
                "Open \(address.url) in a browser and play a leak. \(stopping)"
            case .unix(let path):
                "\(stopping) To query the server, run: curl --unix-socket \(path) http://localhost/api/v1/summary"
            }
        return ["LifetimeTracer demo: \(address.url)", advice]
    }
}
