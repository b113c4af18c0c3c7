import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A run of `plain-program` under `tracer-server run` in which objects come and go in steps, and its page.
struct SteppedRun {
    /// The name of the class of the objects that the program itself creates.
    static let type = "plain_program.PlainCard"

    private let run: ProgramRun
    private let base: String

    /// Starts the program, and waits until it has taken the first step.
    ///
    /// - Parameter changes: For each step, how many objects are created or, if negative, how many of the oldest die.
    init(_ changes: [Int]) async throws {
        try await self.init(words: ["steps"] + changes.map(String.init))
    }

    /// Starts the program with other words that make it take steps, or another program that takes steps.
    init(
        words: [String], environment: [String: String] = [:], program: String = Builds.plainProgram.path
    ) async throws {
        run = try ProgramRun(["run", "--listen", "0", "--", program] + words, environment: environment)
        base = try await "http://\(run.servedAddress())/"
        try await wait(forStep: 1)
    }

    /// Makes the program take its next step, and waits until it has.
    func step(_ number: Int) async throws {
        run.send(SIGUSR1)
        try await wait(forStep: number)
    }

    private func wait(forStep number: Int) async throws {
        _ = try await eventually("the program has taken step \(number)") { run.lines.first { $0 == "step \(number)" } }
    }

    /// Requests a part of the API.
    func get<Value: Decodable>(_ path: String, as type: Value.Type = Value.self) async throws -> Value {
        try await decoded("api/v1/\(path)")
    }

    /// What `/healthz` says of the hooks.
    func classes() async throws -> ClassZooRun.Health.Classes {
        let health: ClassZooRun.Health = try await decoded("healthz")
        return try #require(health.classes)
    }

    private func decoded<Value: Decodable>(_ path: String) async throws -> Value {
        let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: base + path)))
        let status = (response as? HTTPURLResponse)?.statusCode
        try #require(status == 200, "\(path): \(String(decoding: data, as: UTF8.self))")
        return try JSONDecoder().decode(Value.self, from: data)
    }

    /// Sets a mark, as the page does.
    func mark(_ name: String) async throws {
        var request = URLRequest(url: try #require(URL(string: base + "api/v1/marks")))
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = Data(#"{"name":"\#(name)"}"#.utf8)
        let (data, response) = try await URLSession.shared.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode
        try #require(status == 201, "\(String(decoding: data, as: UTF8.self))")
    }

    /// The counts of a class; `nil` if no object of it has been recorded.
    func counts(of type: String = Self.type) async throws -> Counts? {
        try await get("types?limit=500", as: Kinds.self).types.first { $0.type == type }?.counts
    }

    /// The numbers of the class's listed instances: all of them, and the ids of the first.
    func instances(_ query: String = "") async throws -> (total: Int, ids: Set<Int>) {
        let page = try await get("instances?type=\(Self.type)\(query)", as: Instances.self)
        return (page.total, Set(page.instances.map(\.id)))
    }

    struct Counts: Equatable {
        let live: Int
        let peak: Int
        let born: Int
        let died: Int
    }

    private struct Kinds: Decodable {
        struct Kind: Decodable {
            let type: String
            let live: Int
            let peak: Int
            let born: Int
            let died: Int

            var counts: Counts { Counts(live: live, peak: peak, born: born, died: died) }
        }
        let types: [Kind]
    }

    private struct Instances: Decodable {
        struct Instance: Decodable { let id: Int }
        let total: Int
        let instances: [Instance]
    }
}
