import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A run of the program with classes of many kinds that has created all its objects.
struct ClassZooRun {
    struct Counts: Equatable {
        var born = 0
        var live = 0
        var died = 0
    }

    struct Health: Decodable {
        struct Classes: Decodable {
            let traced: Bool
            let reason: String?
            let images: Int
            let refusedImages: Int
            let stackInstances: Int
            let unknownDeaths: Int
        }
        let classes: Classes?
    }

    let run: ProgramRun
    let base: String

    init(
        _ options: [String] = [], words: [String] = [], environment: [String: String] = [:],
        program: URL = Builds.classZoo
    ) async throws {
        try await self.init(
            ProgramRun(["run", "--listen", "0"] + options + [program.path] + words, environment: environment))
    }

    /// The program that contains the library, started by itself or by `tracer-server run`.
    init(linked words: [String], underRun: Bool = false, environment: [String: String] = [:]) async throws {
        if underRun {
            try await self.init(ProgramRun(["run", "--listen", "0", Builds.linkedClassZoo.path] + words))
        } else {
            try await self.init(ProgramRun(words, of: Builds.linkedClassZoo, environment: environment))
        }
    }

    private init(_ run: ProgramRun) async throws {
        base = try await "http://\(run.servedAddress())"
        _ = try await eventually("the program has created its objects") { run.lines.first { $0 == "ready" } }
        self.run = run
    }

    /// The numbers that the program knows from its own code.
    var expected: [String: Counts] {
        var counts: [String: Counts] = [:]
        for line in run.lines where line.hasPrefix("class ") {
            let words = line.split(separator: " ")
            let numbers = words.suffix(2).compactMap { Int($0) }
            let name = words.dropFirst().dropLast(2).joined(separator: " ")
            counts[name, default: Counts()].born += numbers[0]
            counts[name, default: Counts()].live += numbers[1]
            counts[name, default: Counts()].died += numbers[0] - numbers[1]
        }
        return counts
    }

    func get<Value: Decodable>(_ path: String) async throws -> Value {
        let url = try #require(URL(string: base + path))
        return try JSONDecoder().decode(Value.self, from: try await URLSession.shared.data(from: url).0)
    }

    func firstInstance(of name: String) async throws -> Int {
        struct Instances: Decodable {
            struct Instance: Decodable { let id: Int }
            let instances: [Instance]
        }
        let list: Instances = try await get("/api/v1/instances?limit=1&type=ClassZooKinds.\(name)")
        return try #require(list.instances.first).id
    }

    func counts() async throws -> [String: Counts] {
        let kinds: Wire.Kinds = try await get("/api/v1/types?limit=500")
        let pairs = kinds.types.map { ($0.name, Counts(born: $0.born, live: $0.live, died: $0.died)) }
        return Dictionary(pairs) { first, _ in first }
    }
}
