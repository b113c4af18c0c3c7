#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import Foundation
import Glibc
import RetainPaths
import Testing

@testable import LifetimeTracerTestKit

/// Objects that leak when nobody breaks their cycle.
private final class ExitNode {
    var next: ExitNode?

    @inline(never)
    static func leak() {
        let first = ExitNode()
        first.next = ExitNode()
        first.next?.next = first
    }
}

/// The search for leaks at the exit of a process.
///
/// Each test has a process of its own.
@Suite(.disabledUnderSanitizers) struct LeaksAtExitTests {
    private static func text(of result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test func leakFailsTheProcess() async throws {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardErrorContent]) {
            LeaksAtExit.plan("1")
            for _ in 0..<3 { ExitNode.leak() }
            exit(0)
        }
        let text = Self.text(of: result)
        #expect(text.contains("LifetimeTracer: Leaked by the test run: 3 cycles of ExitNode; 6 objects.\n"), "\(text)")
        #expect(text.contains("Expected: the test run leaves no objects that only hold each other.\n"), "\(text)")
        #expect(text.contains("  ExitNode.next"), "\(text)")
    }

    @Test func leakIsReportedIfItMayNotFailTheProcess() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            LeaksAtExit.plan("warn")
            ExitNode.leak()
            exit(0)
        }
        #expect(Self.text(of: result).contains(": 1 cycle of ExitNode; 2 objects.\n"))
    }

    @Test func processWithoutALeakEndsSilently() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            LeaksAtExit.plan("fail")
            withExtendedLifetime(ExitNode()) {}
            exit(0)
        }
        #expect(!Self.text(of: result).contains("LifetimeTracer: "))
    }

    @Test func failedProcessKeepsItsStatus() async throws {
        let result = await #expect(processExitsWith: .exitCode(7), observing: [\.standardErrorContent]) {
            LeaksAtExit.plan("fail")
            ExitNode.leak()
            exit(7)
        }
        #expect(Self.text(of: result).contains(": 1 cycle of ExitNode; 2 objects.\n"))
    }

    @Test func bufferedOutputIsWrittenBeforeTheProcessFails() async throws {
        let result = await #expect(processExitsWith: .exitCode(1), observing: [\.standardOutputContent]) {
            LeaksAtExit.plan("fail")
            ExitNode.leak()
            print("the last words", terminator: "")
            exit(0)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        #expect(output.contains("the last words"))
    }

    @Test func knownLeakDoesNotFailTheProcess() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
            try #"[{"pattern": "ExitNode.next → ExitNode", "reason": "it is small"}]"#
                .write(to: file, atomically: true, encoding: .utf8)
            setenv("LIFETIME_TRACER_KNOWN_LEAKS", file.path, 1)
            LeaksAtExit.plan("fail")
            ExitNode.leak()
            atexit { unlink(getenv("LIFETIME_TRACER_KNOWN_LEAKS")) }
            // Reads the file, which the handler removes before the search.
            _ = KnownLeaksFile.leaks
            exit(0)
        }
        #expect(Self.text(of: result).contains("Known leak, 1 leak: "), "\(Self.text(of: result))")
    }

    @Test func forkChildDoesNotSearch() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            LeaksAtExit.plan("warn")
            ExitNode.leak()
            let end = ChildProcess.run { exit(3) }
            exit(end == .code(3) ? 0 : 9)
        }
        #expect(Self.text(of: result).components(separatedBy: "Leaked by the test run").count == 2)
    }

    @Test(arguments: ["", "0", "off", "OFF"])
    func searchIsOff(by value: String) throws {
        #expect(try LeaksAtExit.Effect(value) == nil)
    }

    @Test func invalidValueIsReported() async throws {
        let result = await #expect(processExitsWith: .exitCode(0), observing: [\.standardErrorContent]) {
            LeaksAtExit.plan("always")
            ExitNode.leak()
            exit(0)
        }
        let text = Self.text(of: result)
        #expect(text.contains("because LIFETIME_TRACER_LEAKS_AT_EXIT is \"always\": use fail to fail on leaks"))
        #expect(!text.contains("ExitNode"))
    }
}
#endif
