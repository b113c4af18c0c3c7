import Foundation
import LifetimeTracerDashboard
import Testing

@testable import tracer_server

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The real demo on a free port, and requests to its API.
struct DemoRun: Sendable {
    let program: ProgramRun
    let base: String

    init(_ arguments: [String] = [], environment: [String: String] = [:]) async throws {
        let program = try ProgramRun(["demo", "--listen", "127.0.0.1:0"] + arguments, environment: environment)
        let line = try await eventually("the demo says where it listens") {
            try #require(program.standardError.isEmpty, "\(program.standardError)")
            return program.lines.first
        }
        self.program = program
        base = String(try #require(line.split(separator: " ").last))
    }

    /// Requests JSON and decodes it.
    func get<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value {
        let url = try #require(URL(string: base + path))
        let (data, response) = try await URLSession.shared.data(from: url)
        let status = (response as? HTTPURLResponse)?.statusCode
        try #require(status == 200, "\(path): \(String(decoding: data, as: UTF8.self))")
        return try JSONDecoder().decode(type, from: data)
    }

    /// Sends a POST request.
    func post(_ path: String) async throws -> (status: Int, body: Data) {
        var request = URLRequest(url: try #require(URL(string: base + path)))
        request.httpMethod = "POST"
        let (data, response) = try await URLSession.shared.data(for: request)
        return (try #require(response as? HTTPURLResponse).statusCode, data)
    }

    /// Plays a scenario to its end.
    func play(_ name: String, _ form: ScenarioForm) async throws -> Wire.Run {
        let (status, body) = try await post("api/v1/scenarios/\(name)/\(form.rawValue)")
        try #require(status == 202, "\(String(decoding: body, as: UTF8.self))")
        let started = try JSONDecoder().decode(Wire.RunAnswer.self, from: body).run
        return try await run(started.id, of: name)
    }

    /// Waits for the end of a run.
    func run(_ id: Int, of name: String) async throws -> Wire.Run {
        try await eventually("run \(id) of \(name) is over") {
            let scenarios: Wire.Scenarios = try await get("api/v1/scenarios")
            let scenario = try #require(scenarios.scenarios.first { $0.name == name })
            return try #require(scenario.runs.first { $0.id == id }).ifDone
        }
    }

    func overdue() async throws -> Wire.Overdue { try await get("api/v1/overdue") }
    func verdicts() async throws -> Wire.Verdicts {
        try await get("api/v1/summary", as: Wire.Summary.self).verdicts
    }
    func tokens(_ query: String) async throws -> [Wire.Token] {
        try await get("api/v1/tokens?\(query)", as: Wire.Tokens.self).tokens
    }
    func tokenGroups() async throws -> [Wire.TokenGroup] {
        try await get("api/v1/tokens?groupBy=event", as: Wire.TokenGroups.self).groups
    }
    func tokenGroups(ofOwner name: String) async throws -> [Wire.OwnerGroup] {
        try await get("api/v1/tokens?groupBy=ownerType", as: Wire.OwnerGroups.self).groups
            .filter { $0.ownerType == "tracer_server.\(name)" }
    }

    /// The types of the scenarios, without those of the background work.
    func scenarioTypes() async throws -> [Wire.Kind] {
        try await get("api/v1/types?limit=500", as: Wire.Kinds.self).types.filter { $0.group != Workload.group }
    }
}

/// The parts of the API's JSON that the tests read.
enum Wire {
    struct Recording: Decodable {
        let tracing: Bool
        let creationStacks: Bool
    }
    struct Stacks: Decodable {
        struct Group: Decodable { let instances: [Instance] }
        struct Instance: Decodable { let creationStack: [Frame]? }
        struct Frame: Decodable {
            let function: String
            let module: String
            let offset: UInt64
        }
        let groups: [Group]
    }
    struct RunAnswer: Decodable { let run: Run }
    struct Scenarios: Decodable { let scenarios: [Scenario] }
    struct Scenario: Decodable {
        let name: String
        let title: String
        let story: String
        let forms: [Form]
        let runs: [Run]
    }
    struct Form: Decodable {
        let form: String
        let expects: [String]
    }
    struct Run: Decodable {
        let id: Int
        let form: String
        let state: String
        let startedAt: String
        let finishedAt: String?
        let steps: [String]

        var ifDone: Run? { state == "done" ? self : nil }
    }
    struct Summary: Decodable { let verdicts: Verdicts }
    struct Verdicts: Decodable, Equatable {
        var overdue = 0
        var late = 0
        var overBudget = 0
        var orphaned = 0
        var brokenInvariants = 0
        var crowded = 0
    }
    struct Overdue: Decodable { let groups: [Group] }
    struct Group: Decodable {
        let type: String
        let reason: String
        let message: String
        let overdue: Int
        let late: Int
        let instances: [Instance]
    }
    struct Instance: Decodable {
        let type: String
        let label: String?
        let role: String
        let state: String
        let reason: String
        let tokensInForce: Int
    }
    struct Tokens: Decodable { let tokens: [Token] }
    struct Token: Decodable {
        let kind: String
        let event: String
        let state: String
        let deliveries: Int
    }
    struct TokenGroups: Decodable { let groups: [TokenGroup] }
    struct TokenGroup: Decodable, Equatable {
        let event: String
        let inForce: Int
        let orphaned: Int
        let registered: Int
        let removed: Int
        let refused: Int
        let deliveries: Int
        let crowded: Bool
    }
    struct OwnerGroups: Decodable { let groups: [OwnerGroup] }
    struct OwnerGroup: Decodable {
        let ownerType: String?
        let inForce: Int
        let registered: Int
        let removed: Int
    }
    struct Kinds: Decodable { let types: [Kind] }
    struct Kind: Decodable {
        let name: String
        let live: Int
        let born: Int
        let died: Int
        let group: String?
    }
}
