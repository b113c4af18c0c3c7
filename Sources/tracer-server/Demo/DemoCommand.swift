import Foundation
import LifetimeTracer
import LifetimeTracerServer

/// `tracer-server demo`: serves a page on which leaks can be played.
enum DemoCommand {
    static let syntax = CommandSyntax(
        call: "tracer-server demo",
        summary: "Serves a page on which five real leaks can be played, each beside its mended form.",
        options: [
            .init(
                "--listen", "ADDRESS",
                help:
                    "Where to listen: 127.0.0.1:8089 (the default), 8089, :8089, [::1]:8089 or unix:PATH. Port 0 picks "
                    + "a free one."),
            .init(
                "--allow-host", "NAME", isRepeatable: true,
                help:
                    "A name or an IP address under which browsers may call it, apart from loopback and the addresses it "
                    + "listens on. Can be given more than once."),
            .init(
                "--token-file", "FILE",
                help:
                    "Ask clients for the access token in the first line of this file. LIFETIME_TRACER_TOKEN_FILE=FILE in the "
                    + "environment does the same, and LIFETIME_TRACER_TOKEN holds the access token itself."),
            .init(
                "--play", "NAME:FORM", isRepeatable: true,
                help: "Play a scenario at the start; FORM is leaking or mended. Can be given more than once."),
            .init(
                "--creation-stacks",
                help:
                    "Record for each object the calls that led to it, and show them where it is overdue. "
                    + "LIFETIME_TRACER_STACKS=1 in the environment does the same, here and in any traced program."),
            .init(
                "--known-leaks", "FILE",
                help:
                    "Leaks that are known, with reasons: they are marked where somebody asks who holds what. "
                    + "LIFETIME_TRACER_KNOWN_LEAKS=FILE in the environment does the same, here and in any traced program."
            ),
        ],
        notes: [
            "scenarios:\n" + Scenario.all.map { "  \($0.name): \($0.title)" }.joined(separator: "\n"),
            "The first line on standard output says where it listens. Control-C or SIGTERM stops it. Others than this machine "
                + "are let in only with an access token: set LIFETIME_TRACER_TOKEN_FILE, listen on 0.0.0.0:8089, and allow the name "
                + "by which they call this machine unless it is its own IP address.",
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
            // The environment's setting applies to the shared registry. The demo has its own registry and copies the
            // setting.
            demo = Demo(
                address: options.address, accessToken: accessToken, allowedHosts: options.allowedHosts,
                recordsCreationStacks: options.recordsCreationStacks || LifetimeRegistry.shared.recordsCreationStacks,
                knownLeaks: options.knownLeaks ?? environment["LIFETIME_TRACER_KNOWN_LEAKS"], limits: limits)
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
        let advice =
            switch address {
            case .tcp where hasAccessToken:
                "Open \(address.url)?token=… in a browser, with the access token, and play a leak; Control-C stops it."
            case .tcp:
                "Open it in a browser and play a leak; Control-C stops it."
            case .unix(let path):
                "Ask it: curl --unix-socket \(path) http://localhost/api/v1/summary; Control-C stops it."
            }
        return ["LifetimeTracer demo: \(address.url)", advice]
    }
}
