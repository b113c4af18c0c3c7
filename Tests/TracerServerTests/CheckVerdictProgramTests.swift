import Foundation
import LifetimeTracer
import LifetimeTracerServer
import Testing

@testable import tracer_server

/// The real `check` against a server with one verdict of each kind.
@Suite(.timeLimit(.minutes(20))) struct CheckVerdictProgramTests {
    private final class Screen: TracedObject {}
    private final class Model: TracedObject {}

    /// A kind of verdict: how a program causes it, and what `check` prints.
    enum Cause: String, CaseIterable, CustomTestStringConvertible {
        case overdue, orphaned, overBudget, broken, crowded, growing

        var testDescription: String { rawValue }

        var option: String {
            switch self {
            case .overdue: "--max-overdue"
            case .orphaned: "--max-orphaned"
            case .overBudget: "--max-over-budget"
            case .broken: "--max-broken"
            case .crowded: "--max-crowded"
            case .growing: "--max-growing"
            }
        }

        var says: [String] {
            switch self {
            case .overdue: ["over:   1 overdue, at most 0", "Screen: closed (#"]
            case .orphaned: ["over:   1 orphaned token, at most 0", "  1 for hub changed (owner type TracerServer"]
            case .overBudget: ["over:   1 over budget, at most 0", "  2 live TracerServerTests.", "Screen, budget 1"]
            case .broken:
                [
                    "over:   1 broken invariant, at most 0", "Screen and 0 live ",
                    "Model, expected 1 for each",
                ]
            case .crowded:
                ["over:   1 crowded event, at most 0", "  2 tokens in force for changed: above the threshold"]
            case .growing: ["over:   1 growing, at most 0", "Screen: instances from 10 of the last 10 minutes"]
            }
        }
    }

    /// A server in this process with the verdict of a cause.
    ///
    /// It lives as long as this object.
    private final class Traced {
        let clock = ManualClock()
        let registry: LifetimeRegistry
        let server: TracerServer
        private var objects: [TracedObject] = []
        private var tokens: [ObserverToken] = []

        init(_ cause: Cause) throws {
            registry = LifetimeRegistry(clock: clock)
            server = TracerServer(address: ":0", registry: registry)
            try server.start()
            try causeVerdict(cause)
        }

        deinit {
            server.stop()
        }

        var address: String { server.url ?? "" }

        private func causeVerdict(_ cause: Cause) throws {
            switch cause {
            case .overdue:
                let screen = make()
                try registry.expectDeallocation(of: screen, within: .seconds(1), because: "closed")
            case .orphaned:
                var owner: Screen? = registry.withCurrent { Screen() }
                if let owner { tokens.append(token(owner)) }
                owner = nil
            case .overBudget:
                try registry.setBudget(1, for: Screen.self)
                _ = (make(), make())
            case .broken:
                try registry.expect(1, of: Model.self, forEach: Screen.self, because: "MVVM")
                _ = make()
            case .crowded:
                try registry.setTokenThreshold(1, event: "changed")
                tokens = [token(nil), token(nil)]
            case .growing:
                for _ in 0..<10 {
                    for _ in 0..<20 { _ = make() }
                    pass(.seconds(60))
                }
            }
            pass(.seconds(2))
            pass(.seconds(2))
        }

        private func make() -> Screen {
            let object = registry.withCurrent { Screen() }
            objects.append(object)
            return object
        }

        private func token(_ owner: (any LifetimeTracer.Traced)?) -> ObserverToken {
            ObserverToken(.hub, event: "changed", owner: owner, registry: registry) {}
        }

        private func pass(_ duration: Duration) {
            clock.advance(by: duration)
            registry.check()
        }
    }

    @Test(arguments: Cause.allCases) func checkWithoutOptionsFailsOnEachVerdict(_ cause: Cause) async throws {
        let traced = try Traced(cause)
        defer { withExtendedLifetime(traced) {} }
        let check = try ProgramRun(["check", traced.address])
        #expect(try await check.exitStatus() == 1, "\(check.standardError)")
        for part in cause.says { #expect(check.standardOutput.contains(part), "\(check.standardOutput)") }
        #expect(check.lines.count { $0.hasPrefix("over:") } == 1, "\(check.standardOutput)")
        let allowed = try ProgramRun(["check", traced.address, cause.option, "1"])
        #expect(try await allowed.exitStatus() == 0, "\(allowed.standardOutput)")
    }

    @Test func jsonAndJUnitAreWrittenForFailuresAndErrors() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "junit-\(UUID().uuidString).xml")
        defer { try? FileManager.default.removeItem(at: file) }
        let traced = try Traced(.overBudget)
        defer { withExtendedLifetime(traced) {} }
        let check = try ProgramRun(["check", traced.address, "--json", "--junit", file.path])
        #expect(try await check.exitStatus() == 1)
        let document = try JSONDecoder().decode(Document.self, from: Data(check.standardOutput.utf8))
        #expect(document.version == 1 && document.verdict == "over" && document.process?.pid == Int(getpid()))
        #expect(document.findings.filter { $0.state == "over" }.map(\.kind) == ["overBudget"])
        let xml = try String(contentsOf: file, encoding: .utf8)
        #expect(xml.contains("tests=\"6\" failures=\"1\" errors=\"0\""), "\(xml)")

        let unanswered = try ProgramRun(["check", "unix:/nonexistent/socket", "--json", "--junit", file.path])
        #expect(try await unanswered.exitStatus() == 2)
        let reason = try JSONDecoder().decode(Document.self, from: Data(unanswered.standardOutput.utf8)).reason
        #expect(reason?.hasPrefix("cannot reach unix:/nonexistent/socket") == true)
        #expect(try String(contentsOf: file, encoding: .utf8).contains("tests=\"1\" failures=\"0\" errors=\"1\""))

        let alone = try ProgramRun(["check", traced.address, "--junit", "-"])
        #expect(try await alone.exitStatus() == 1)
        #expect(alone.standardOutput.hasPrefix("<?xml"), "\(alone.standardOutput)")
    }
}

private struct Document: Decodable {
    struct Process: Decodable { let pid: Int }
    struct Finding: Decodable {
        let kind: String
        let state: String
    }
    let version: Int
    let verdict: String
    let reason: String?
    let process: Process?
    let findings: [Finding]
}
