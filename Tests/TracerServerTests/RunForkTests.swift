import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a run says of a program that forks, as servers with several processes do.
@Suite(.timeLimit(.minutes(20))) struct RunForkTests {
    private struct Summary: Decodable {
        struct Process: Decodable { let pid: Int32 }
        let forkChildren: Int
        let process: Process
    }

    /// Children of children count, children that have started another program do not.
    @Test func forkChildrenAreCountedAndNamedOnce() async throws {
        let run = try ProgramRun(["run", "--listen", "0", "--", Builds.plainProgram.path, "workers"])
        let address = try await run.servedAddress()
        let words = try await eventually("the program has forked") {
            run.lines.first { $0.hasPrefix("workers ") }?.split(separator: " ")
        }
        let line = try await eventually("a line on standard error names the fork children") {
            run.standardError.split(separator: "\n").first { $0.contains("has forked") }
        }
        #expect(
            line == """
                LifetimeTracer: the program has forked; its fork children have no page, and are not shown on that of \
                process \(run.processID): \(words[1]), \(words[2])
                """)
        let summary = try await summary(address) { $0.forkChildren == 2 }
        #expect(summary.process.pid == run.processID)
        run.send(SIGUSR1)
        _ = try await self.summary(address) { $0.forkChildren == 0 }
        #expect(run.standardError.split(separator: "\n").filter { $0.contains("fork") }.count == 1)
    }

    private func summary(_ address: String, _ isAwaited: (Summary) -> Bool) async throws -> Summary {
        try await eventually("the summary has the number of fork children") {
            let url = try #require(URL(string: "http://\(address)/api/v1/summary"))
            let summary = try JSONDecoder().decode(Summary.self, from: await URLSession.shared.data(from: url).0)
            return isAwaited(summary) ? summary : nil
        }
    }
}
