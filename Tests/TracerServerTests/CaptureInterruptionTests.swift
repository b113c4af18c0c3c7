import Foundation
import LifetimeTracer
import Testing

@testable import tracer_server

/// SIGINT (Control-C) and SIGTERM during a capture that `heap`, `leaks` or `tasks` has requested.
@Suite(.timeLimit(.minutes(20))) struct CaptureInterruptionTests {
    /// A server whose capture 3 never ends, and the requests that the server has received.
    private struct EndlessCapture {
        let server: ScriptedServer
        let requests = Locked<[String]>([])
        /// The process that gets SIGTERM as soon as it requests to cancel the capture; `nil` if none does.
        let terminated = Locked<pid_t?>(nil)

        /// - Parameter cancellation: The answer to the request to cancel the capture.
        init(answeringCancellationWith cancellation: String = "HTTP/1.1 204 No Content\r\n\r\n") throws {
            server = try ScriptedServer(closes: !cancellation.isEmpty) { [requests, terminated] request in
                requests.withLock { $0.append(request) }
                if request.hasPrefix("DELETE ") {
                    if let process = terminated.withLock({ $0 }) { kill(process, SIGTERM) }
                    return cancellation
                }
                return request == "GET /api/v1/summary"
                    ? Self.reply(Canned.summary(), "200 OK")
                    : Self.reply(#"{"job":{"id":3,"progress":"copying"}}"#, "202 Accepted")
            }
        }

        private static func reply(_ body: String, _ status: String) -> String {
            "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        }

        /// Starts a command, and returns when the command waits for the capture.
        func start(_ command: String) async throws -> ProgramRun {
            let run = try ProgramRun([command, "127.0.0.1:\(server.port)", "--timeout=600"])
            _ = try await eventually("the capture runs") {
                run.standardError.contains("copying the process") ? true : nil
            }
            return run
        }
    }

    @Test(arguments: ["heap", "leaks", "tasks"], [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)])
    func signalCancelsTheCapture(command: String, signal: (number: Int32, status: Int32)) async throws {
        let endless = try EndlessCapture()
        let run = try await endless.start(command)
        run.send(signal.number)
        #expect(try await run.exitStatus() == signal.status)
        #expect(
            run.standardError == """
                tracer-server \(command): copying the process
                tracer-server \(command): interrupted; capture 3 was cancelled

                """)
        #expect(run.standardOutput.isEmpty)
        #expect(endless.requests.withLock { $0.last } == "DELETE /api/v1/heaps/3")
    }

    @Test func captureThatCannotBeCancelledIsReported() async throws {
        let endless = try EndlessCapture(answeringCancellationWith: "HTTP/1.1 503 Busy\r\n\r\n")
        let run = try await endless.start("leaks")
        run.send(SIGINT)
        #expect(try await run.exitStatus() == 130)
        #expect(
            run.standardError.hasSuffix(
                "interrupted; capture 3 could not be cancelled and may still run in the program\n"))
    }

    @Test func secondSignalEndsTheCommandAtOnce() async throws {
        let endless = try EndlessCapture(answeringCancellationWith: "")
        let run = try await endless.start("leaks")
        // The server sends the second signal itself: on a busy machine, this test might notice the request only after
        // the command has given up waiting for the answer.
        endless.terminated.withLock { $0 = run.processID }
        run.send(SIGINT)
        let status = try await run.exitStatus()
        // On a very busy machine, a poll may fail, so that the request to cancel comes before SIGINT. Then SIGINT is
        // the second signal.
        #expect(status == 143 || status == 130, "\(status): \(run.standardError)")
        #expect(!run.standardError.contains("interrupted"), "\(run.standardError)")
        // The connection stays open until here, so that only the signal can end the command.
        withExtendedLifetime(endless) {}
    }

    @Test func interruptedCommandStartsNoCapture() async throws {
        let script = ScriptedReplies([])
        let failure = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await #expect(throws: ClientFailure.self) {
                try await HeapCaptureRequest(transport: script, timeout: ResultTimeout(duration: .zero)).take { _ in }
            }
        }.value
        #expect(failure?.description == "interrupted before the capture began")
        #expect(script.requests.isEmpty)
    }
}
