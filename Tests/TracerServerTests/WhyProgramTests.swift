import Foundation
import LifetimeTracer
import LifetimeTracerServer
import RetainPaths
import Testing

@testable import tracer_server

/// The real `why` on the real demo: each leaking scenario, with the true holder of the leak.
@Suite(.timeLimit(.minutes(20))) struct WhyProgramTests {
    /// The leak of a scenario, and the texts that its retain path must contain.
    struct Leak: Sendable, CustomTestStringConvertible {
        let scenario: String
        let type: String
        /// The texts, in this order.
        let says: [String]
        let pattern: String

        var testDescription: String { "\(scenario): \(type)" }
    }

    private static let leaks = [
        Leak(
            scenario: "keyboard-observer", type: "TextScreen",
            says: [
                "is held by static Keyboard.center; 2 of 2 strong references explained", "  static Keyboard.center",
                "in TextScreen.didAppear() captures TextScreen strongly  ← suspect", "Held directly by",
                "weakly in the closure ([weak self] if it is self), and remove the observer",
            ], pattern: "notificationCenterCapture"),
        Leak(
            scenario: "dismissed-screen", type: "NoteScreen",
            says: [
                "is held by static RecentNotes.screens; 1 of 1 strong reference explained",
                "static RecentNotes.screens[", "← suspect", "NoteScreen",
                "RecentNotes.screens keeps NoteScreen until the program removes it",
            ], pattern: "growingContainer"),
        Leak(
            scenario: "database-reload", type: "DetailScreen",
            says: [
                "is held by static ReloadHubs.singletons; 1 of 1 strong reference explained",
                "ObserverHub<DatabaseChange>.registrations[", "captures DetailScreen strongly  ← suspect",
                "Capture DetailScreen weakly",
            ], pattern: "hubCapture"),
        Leak(
            scenario: "request-in-flight", type: "SearchReactor",
            says: [
                "1 of 1 strong reference explained", "URLSession._TaskRegistry",
                "in SearchReactor.search(_:with:) captures SearchReactor strongly  ← suspect",
                "A request that has not ended keeps its completion",
            ], pattern: "requestInFlight"),
        Leak(
            scenario: "coordinators", type: "ItemCoordinator",
            says: [
                "1 of 1 strong reference explained", "static AppCoordinator.running",
                "AppCoordinator.childCoordinators[0]  ← suspect", "ItemCoordinator",
            ], pattern: "growingContainer"),
        Leak(
            scenario: "coordinators", type: "ProfileScreen",
            says: [
                "holds itself through a cycle that no root reaches; 1 of 1 strong reference explained",
                "ProfileScreen.model", "ProfileViewModel.didChange",
                "in ProfileScreen.refreshWhenTheModelChanges() captures ProfileScreen strongly ⟲  ← suspect",
            ], pattern: "ownClosure"),
    ]

    @Test(arguments: leaks) func whyNamesTheHolderOfEachLeak(_ leak: Leak) async throws {
        let demo = try await DemoRun()
        _ = try await demo.play(leak.scenario, .leaking)
        let id = try #require(await demo.overdueIDs()["tracer_server.\(leak.type)"])
        let why = try ProgramRun(["why", demo.base, "#\(id)"])
        let status = try await why.exitStatus()
        if case .unavailable(let reason) = await RetainPaths.availability() {
            #expect(status == 2)
            #expect(why.standardError.contains("status 501: Retain paths are not available here: \(reason)"))
            return
        }
        let text = why.standardOutput
        #expect(status == 0, "\(why.standardError)")
        #expect(text.hasPrefix("\(leak.type) #\(id) "), "\(text)")
        var rest = text[...]
        for part in leak.says {
            guard let place = rest.firstRange(of: part) else {
                Issue.record("'\(part)' is missing in\n\(text)")
                break
            }
            rest = rest[place.upperBound...]
        }
        let found: FoundPath = try await demo.get("api/v1/instances/\(id)/retain-path")
        #expect(found.pattern == leak.pattern)
        #expect(found.strongReferences == found.explained)
    }

    @Test func instanceHeldByAnOverdueInstanceIsAVictim() async throws {
        guard await RetainPaths.availability() == .available else { return }
        let demo = try await DemoRun()
        _ = try await demo.play("coordinators", .leaking)
        let ids = try await demo.overdueIDs()
        let coordinator = try #require(ids["tracer_server.ProfileCoordinator"])
        let why = try ProgramRun(["why", demo.base, String(coordinator)])
        #expect(try await why.exitStatus() == 0)
        let model = try #require(ids["tracer_server.ProfileViewModel"])
        #expect(why.standardOutput.contains("It is freed when #\(model) is freed."), "\(why.standardOutput)")
        // The retain paths also distinguish culprits and victims in the list of overdue instances.
        let groups = try await demo.overdue().groups
        let profile = try #require(groups.first { $0.type == "tracer_server.ProfileScreen" })
        #expect(profile.instances.map(\.role) == ["culprit", "victim", "victim"])
        #expect(groups.count == 2)
    }

    @Test(arguments: Scenario.all.map(\.name)) func mendedScenarioLeavesNoOverdueInstance(_ scenario: String)
        async throws
    {
        let demo = try await DemoRun()
        _ = try await demo.play(scenario, .mended)
        #expect(try await demo.overdueIDs().isEmpty)
    }

    @Test func aKnownLeakIsMarked() async throws {
        guard await RetainPaths.availability() == .available else { return }
        let file = FileManager.default.temporaryDirectory.appending(path: "known-\(UUID().uuidString).json")
        try Data(#"[{"pattern":"static RecentNotes.screens → NoteScreen","reason":"kept for undo"}]"#.utf8).write(
            to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let demo = try await DemoRun(environment: ["LIFETIME_TRACER_KNOWN_LEAKS": file.path])
        _ = try await demo.play("dismissed-screen", .leaking)
        let id = try #require(await demo.overdueIDs()["tracer_server.NoteScreen"])
        let why = try ProgramRun(["why", demo.base, String(id), "--full"])
        #expect(try await why.exitStatus() == 0)
        #expect(why.standardOutput.contains("Known leak: kept for undo"), "\(why.standardOutput)")
        let groups = try await demo.get("api/v1/overdue", as: KnownGroups.self).groups
        let group = try #require(groups.first { $0.known != nil })
        #expect(group.known?.reason == "kept for undo" && group.known?.count == 1 && group.overdue == 1)
        let check = try ProgramRun(["check", demo.base])
        #expect(try await check.exitStatus() == 0)
        #expect(check.standardOutput.contains("within: 0 overdue, at most 0 (plus 1 known leak)"))
    }

    @Test func invalidKnownLeaksFileIsRefusedWithTheLine() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "known-\(UUID().uuidString).json")
        try Data("[\n  {\"pattern\":\"A\"}\n]".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let demo = try ProgramRun(["demo", "--listen", "127.0.0.1:0", "--known-leaks", file.path])
        #expect(try await demo.exitStatus() == 1)
        #expect(demo.standardError.contains("\(file.path), line 2: The known leak 'A' has no reason."))
        #expect(demo.standardError.contains("State in \"reason\" why the leak is accepted."), "\(demo.standardError)")
    }

    @Test func exitStatusIsOneForAnUnknownInstance() async throws {
        let demo = try await DemoRun()
        let why = try ProgramRun(["why", demo.base, "999999999"])
        #expect(try await why.exitStatus() == 1)
        #expect(why.standardError.contains("No instance has ever had the id 999999999."), "\(why.standardError)")
        #expect(why.standardOutput.isEmpty)
    }

    @Test func exitStatusIsTwoForAnUnreachableServer() async throws {
        let why = try ProgramRun(["why", "unix:/nonexistent/socket", "1"])
        #expect(try await why.exitStatus() == 2)
        #expect(why.standardError.contains("tracer-server why: cannot reach unix:/nonexistent/socket"))
    }
}

private struct FoundPath: Decodable {
    let pattern: String?
    let strongReferences: Int
    let explained: Int
}

private struct KnownGroups: Decodable {
    struct Group: Decodable {
        let overdue: Int
        let known: Known?
    }
    struct Known: Decodable {
        let reason: String
        let count: Int
    }
    let groups: [Group]
}

private struct OverdueIDs: Decodable {
    struct Group: Decodable { let instances: [Instance] }
    struct Instance: Decodable {
        let id: Int
        let type: String
        let state: String
    }
    let groups: [Group]
}

extension DemoRun {
    /// The id of one overdue instance of each type.
    fileprivate func overdueIDs() async throws -> [String: Int] {
        let instances = try await get("api/v1/overdue", as: OverdueIDs.self).groups.flatMap(\.instances)
        return Dictionary(instances.filter { $0.state == "overdue" }.map { ($0.type, $0.id) }) { first, _ in first }
    }
}
