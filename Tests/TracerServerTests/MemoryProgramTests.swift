import Foundation
import Testing

/// The real demo in an address space that is limited, as by `ulimit -v` or by systemd's `LimitAS=`.
@Suite(.timeLimit(.minutes(20))) struct MemoryProgramTests {
    private enum Start: Equatable {
        case served
        case refused(status: Int32, error: String)
    }

    /// Starts the demo and, if it serves its page, ends it with SIGTERM.
    private static func start(megabytes: Int) async throws -> Start {
        let command = [Builds.tracerServer.path, "demo", "--listen", "0"]
        let run = try ProgramRun(
            ["-c", "ulimit -v \(megabytes << 10) && exec \"$@\"", "sh"] + command, of: URL(filePath: "/bin/sh"))
        let isServed = try await eventually("the demo serves its page or ends") {
            run.lines.isEmpty ? run.hasEnded ? false : nil : true
        }
        if isServed { run.send(SIGTERM) }
        let status = try await run.exitStatus()
        return isServed && status == 0 ? .served : .refused(status: status, error: run.standardError)
    }

    /// Dispatch waits forever if it cannot start a thread, and then not even SIGTERM ends the program.
    @Test func demoServesItsPageOrNamesTheLimit() async throws {
        var smallest: Int?
        for megabytes in [200, 220, 240, 260, 280, 300, 350, 400, 450, 500, 700, 1000] {
            switch try await Self.start(megabytes: megabytes) {
            case .served:
                smallest = smallest ?? megabytes
            case .refused(let status, let error):
                #expect(status == 1 || status == 2)
                #expect(error.contains("limited to \(megabytes) MB"), "\(megabytes) MB: \(error)")
                #expect(smallest == nil, "\(megabytes) MB are refused although \(smallest ?? 0) MB suffice: \(error)")
            }
        }
        #expect(smallest != nil)
    }
}
