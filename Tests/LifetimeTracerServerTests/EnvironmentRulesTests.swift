import ForkTesting
import Foundation
import Glibc
import LifetimeTracer
import Testing

@testable import LifetimeTracerServer

private final class Session: TracedObject {}

extension ServerTests {
    /// The environment variable that names a file with rules.
    @Suite struct EnvironmentRulesTests {
        private static func rulesFile(
            _ rules: String, in folder: TestFolder, named name: String = "rules.json"
        ) -> String {
            FileManager.default.createFile(atPath: folder.path(name), contents: Data(rules.utf8))
            return folder.path(name)
        }

        @Test func rulesOfTheEnvironmentApplyWithoutAServer() async {
            await #expect(processExitsWith: .success) {
                let folder = try TestFolder()
                let file = EnvironmentRulesTests.rulesFile(
                    """
                    {"types": [{"pattern": "*.Session", "budget": 1, "leaveOut": false},
                               {"pattern": "*", "leaveOut": true}]}
                    """, in: folder)
                demand(EnvironmentRules.read(file) == nil)
                let sessions = [Session(), Session()]
                let others = (0..<5).map { _ in TracedObject() }
                let registry = LifetimeRegistry.shared
                demand(registry.summary().live == 2 && registry.summary().overBudget == 1)
                withExtendedLifetime((sessions, others)) {}
            }
        }

        @Test func invalidRulesOfTheEnvironmentAreReportedInOneLine() throws {
            let line = try #require(EnvironmentRules.read("/nonexistent/\u{1B}rules.json"))
            let start = "rules not in force, because LIFETIME_TRACER_RULES is \"/nonexistent/\u{FFFD}rules.json\": "
            #expect(line.hasPrefix(start), "\(line)")
            #expect(!line.utf8.contains { $0 < 0x20 })
            let said = try AutostartTests.standardErrorOfProgram(
                with: "off LIFETIME_TRACER_RULES=/nonexistent/rules.json")
            #expect(said.hasPrefix("LifetimeTracer: rules not in force, because LIFETIME_TRACER_RULES is "), "\(said)")
            #expect(said.split(separator: "\n").count == 1)
        }

        @Test func rulesOfTheEnvironmentPrecedeThoseOfTheCode() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let folder = try TestFolder()
                let first = EnvironmentRulesTests.rulesFile(#"{"types": [{"pattern": "*", "budget": 1}]}"#, in: folder)
                let second = EnvironmentRulesTests.rulesFile(
                    #"{"types": [{"pattern": "*", "budget": 2}]}"#, in: folder, named: "2.json")
                demand(EnvironmentRules.read(first) == nil)
                let session = Session()
                let server = TracerServer(address: "0", rules: second)
                try server.start()
                demand(LifetimeRegistry.shared.snapshot().types.first?.budget == 1)
                // Another registry is not that of the environment.
                let registry = LifetimeRegistry()
                let other = registry.withCurrent { Session() }
                try TracerServer(address: "0", registry: registry, rules: second).start()
                demand(registry.snapshot().types.first?.budget == 2)
                withExtendedLifetime((session, other)) {}
            }
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            let lines = said.split(separator: "\n").filter { $0.hasPrefix("LifetimeTracer: ") }
            #expect(lines.count == 1)
            let start = "LifetimeTracer: the rules given in code are not in force, because LIFETIME_TRACER_RULES is set"
            #expect(lines.first?.hasPrefix(start) == true, "\(lines)")
        }

        @Test func rulesIgnoredByTheAutostartedServerAreReported() async {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let folder = try TestFolder()
                let file = EnvironmentRulesTests.rulesFile(#"{"types": [{"pattern": "*", "budget": 1}]}"#, in: folder)
                Autostart.startBeforeMain("0")
                let address = try #require(Autostart.server?.address)
                try TracerServer(address: address, rules: file).start()
                demand(LifetimeRegistry.shared.ruleStatus() == nil)
            }
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(said.contains("known leaks and rules replace those given in code"), "\(said)")
        }
    }
}
