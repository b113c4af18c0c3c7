import Foundation
import LifetimeTracer
import Testing

@testable import LifetimeTracerDashboard

/// A separate registry with a manual clock, and a dashboard for it.
final class Bench {
    let clock: ManualClock
    let registry: LifetimeRegistry
    let dashboard: Dashboard

    init(
        configuration: RegistryConfiguration = RegistryConfiguration(), gate: GatePolicy = GatePolicy(),
        routes: [Route] = [], selfTestPasses: Bool = true, explainer: RetainExplainer = .unavailable,
        capturer: HeapCapturer = .unavailable
    ) {
        clock = ManualClock(start: WallTime(nanosecondsSince1970: 1_700_000_000_000_000_000))
        registry = LifetimeRegistry(clock: clock, configuration: configuration)
        dashboard = Dashboard(
            DashboardContext(
                registry: registry, process: .fixed, selfTest: .fixed(passed: selfTestPasses), explainer: explainer,
                capturer: capturer, usage: { _ in .fixed }),
            gate: gate, routes: routes)
        // Takes the first sample of the history now. Otherwise the registry's thread would take it at some later time.
        registry.check()
    }

    /// Advances the clock and runs all work that is due then.
    func pass(_ duration: Duration) {
        clock.advance(by: duration)
        registry.check()
    }

    func send(
        _ method: String, _ target: String, headers: [(String, String)] = [], body: String = "",
        host: String? = "127.0.0.1:8089", from clientAddress: String? = nil
    ) -> HTTPResponse {
        var fields = headers.map { HTTPHeaders.Field($0.0, $0.1) }
        if let host { fields.append(HTTPHeaders.Field("Host", host)) }
        return dashboard.respond(
            to: HTTPRequest(
                method: method, target: target, headers: HTTPHeaders(fields), body: Array(body.utf8),
                clientAddress: clientAddress))
    }

    func get(_ target: String, headers: [(String, String)] = []) -> HTTPResponse {
        send("GET", target, headers: headers)
    }

    func post(_ target: String, _ body: String = "") -> HTTPResponse {
        send("POST", target, headers: body.isEmpty ? [] : [("Content-Type", "application/json")], body: body)
    }

    /// The parsed body of a successful response.
    func json(_ target: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSON {
        let response = get(target)
        #expect(response.status == 200, "\(response.text)", sourceLocation: sourceLocation)
        return try JSON(response)
    }

    /// Requests all pages of a list, whose path must have a query.
    func all(_ entries: String, of path: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [JSON] {
        var all: [JSON] = []
        var after = ""
        while true {
            let page = try json(path + after, sourceLocation: sourceLocation)
            all += page[entries].array
            guard let next = page["next"].string else { return all }
            after = "&after=\(next)"
        }
    }
}

extension ProcessFacts {
    static let fixed = ProcessFacts(
        pid: 4711, name: "tracer-server", host: "box",
        startedAt: WallTime(nanosecondsSince1970: 1_699_999_998_500_000_000), swiftVersion: "6.3",
        libraryVersion: "0.1.0")
}

extension ProcessUsage {
    static let fixed = ProcessUsage(
        cpuSeconds: 12.345678, openFiles: 23, maximumFiles: 1024, virtualBytes: 1_234_567_168,
        maximumVirtualBytes: Double(UInt64.max), residentBytes: 45_678_592, threads: 9)
}
