import ForkTesting
import Foundation
import Glibc
import LifetimeTracer
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// The environment variable that asks for creation stacks.
    @Suite struct EnvironmentStacksTests {
        @Test(arguments: ["", "0", "off", "Off"]) func emptyOrOffRecordsNoCreationStacks(value: String) async {
            #expect(Autostart.recordStacks(ifAskedBy: value) == nil)
            #expect(!LifetimeRegistry.shared.recordsCreationStacks)
        }

        @Test(arguments: ["yes", "2", "true", "127.0.0.1:8089", "\u{1B}[2J"])
        func invalidStacksValueIsReportedInOneLine(
            value: String
        ) throws {
            let line = try #require(Autostart.recordStacks(ifAskedBy: value))
            #expect(line.hasPrefix("creation stacks not recorded, because LIFETIME_TRACER_STACKS is \""))
            #expect(line.contains("use 1 to record creation stacks, or 0"))
            #expect(!line.utf8.contains { $0 < 0x20 }, "nothing in it moves the cursor")
        }

        @Test(arguments: ["1", "on", "ON"]) func environmentVariableEnablesCreationStacks(value: String) async {
            await #expect(processExitsWith: .success) { [value = value as String] in
                Autostart.recordStacksBeforeMain(value)
                demand(LifetimeRegistry.shared.recordsCreationStacks)
            }
        }

        @Test func theConstructorReadsTheVariableForStacks() throws {
            #expect(try AutostartTests.standardErrorOfProgram(with: "'' LIFETIME_TRACER_STACKS=1") == "")
            #expect(try AutostartTests.standardErrorOfProgram(with: "'' LIFETIME_TRACER_STACKS=") == "")
            #expect(
                try AutostartTests.standardErrorOfProgram(with: "'' LIFETIME_TRACER_STACKS=yes")
                    .hasPrefix(
                        "LifetimeTracer: creation stacks not recorded, because LIFETIME_TRACER_STACKS is \"yes\""))
        }
    }
}
