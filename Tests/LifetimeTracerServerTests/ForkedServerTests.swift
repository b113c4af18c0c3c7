import ForkTesting
import Glibc
import LifetimeTracer
import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// The parent's servers in a child of `fork`.
    @Suite(.enabled(if: Sanitizer.allowsChildren)) struct ForkedServerTests {
        @Test func theChildsStopLeavesTheParentsServerAlone() async {
            await #expect(processExitsWith: .success) {
                endThisProcess(after: 120)
                let folder = try TestFolder()
                let server = TracerServer(address: .unix(path: folder.path("socket")), registry: LifetimeRegistry())
                // The parent uses what the child uses, see `run`.
                try server.start()
                #expect(try Self.status(at: #require(server.address)) == 200)
                server.stop()
                try server.start()
                let address = try #require(server.address)
                let end = Self.run {
                    guard server.address == nil, server.url == nil else { return 1 }
                    server.stop()
                    server.removeSocketFile()
                    return 0
                }
                #expect(end == .code(0))
                #expect(folder.names == ["socket"])
                #expect(try Self.status(at: address) == 200)
                server.stop()
                #expect(folder.names.isEmpty)
            }
        }

        @Test func theChildServesAtAnotherAddress() async {
            await #expect(processExitsWith: .success) {
                endThisProcess(after: 120)
                let registry = LifetimeRegistry()
                let server = TracerServer(address: "0", registry: registry)
                try server.start()
                let address = try #require(server.address)
                let taken = TracerServer(address: address, registry: registry)
                // The parent uses what the child uses, see `run`.
                let another = TracerServer(address: "0", registry: registry)
                try another.start()
                #expect(try Self.status(at: #require(another.address)) == 200)
                #expect(try Self.status(at: address) == 200)
                another.stop()
                #expect(throws: (any Error).self) { try taken.start() }
                for _ in 0..<10 {
                    let end = Self.run {
                        // The parent still listens on this port.
                        guard (try? taken.start()) == nil else { return 1 }
                        // The system picks this server's port, so the same server can start again.
                        guard (try? server.start()) != nil, let own = server.address, own != address else { return 2 }
                        let other = TracerServer(address: "0", registry: registry)
                        guard (try? other.start()) != nil, let others = other.address else { return 3 }
                        for address in [own, others] {
                            guard (try? Self.status(at: address)) == 200 else { return 4 }
                        }
                        server.stop()
                        other.stop()
                        guard server.address == nil, (try? Self.status(at: own)) == nil else { return 5 }
                        return 0
                    }
                    #expect(end == .code(0))
                }
                #expect(try Self.status(at: address) == 200)
                server.stop()
            }
        }

        @Test func childDoesNotKeepTheListeningSocketOpen() async {
            await #expect(processExitsWith: .success) {
                endThisProcess(after: 120)
                let server = try TestServer(TestServer.ownAddress(3))
                let address = server.address
                let (isThere, mayLeave) = (try Pipe(), try Pipe())
                let helper = Crowd(1) { _, _ in
                    let end = Self.run {
                        close(mayLeave.output)
                        isThere.write()
                        return mayLeave.readToEnd() ? 0 : 1
                    }
                    #expect(end == .code(0))
                }
                #expect(isThere.read())
                #expect(try Self.status(at: address) == 200)
                server.server.stop()
                #expect(throws: TestClient.Failure.self) { try TestClient(address) }
                close(mayLeave.output)
                helper.end()
            }
        }

        @Test func parentStreamsContinueAfterAFork() async {
            await #expect(processExitsWith: .success) {
                endThisProcess(after: 120)
                let stream = ScriptedStream(.text("one"))
                let others = Set(ProcessTable.threads)
                let server = try TestServer(
                    adjust: { $0.probeInterval = .seconds(60) },
                    handler: { _ in HTTPResponse(status: 200, body: .stream(stream)) })
                let threads = Set(ProcessTable.threads).subtracting(others)
                let client = try server.client()
                client.request()
                _ = try client.head()
                #expect(try client.chunk() == Array("one".utf8))
                #expect(stream.waitUntilReadReturnsWait())
                #expect(!client.isReadable(within: 100))
                let sleeps = ProcessTable.sleeps(of: threads)
                let end = Self.run {
                    // Wakes no server: neither in the child nor in the parent.
                    stream.push(.text("child"))
                    stream.wakeWithoutChunk()
                    server.server.stop()
                    return stream.ends.isEmpty ? 0 : 1
                }
                #expect(end == .code(0))
                #expect(!client.isReadable(within: 100))
                #expect(ProcessTable.sleeps(of: threads) == sleeps && !sleeps.isEmpty, "nobody was woken")
                stream.push(.text("two"))
                #expect(try client.chunk() == Array("two".utf8))
                server.server.stop()
                #expect(try client.chunk() == nil)
                #expect(stream.ends == [.serverStopped])
            }
        }

        @Test func childDoesNotInheritTheAutostartedServer() async {
            await #expect(processExitsWith: .success) {
                endThisProcess(after: 120)
                #expect(Autostart.start(address: "0", accessToken: nil) != nil)
                let address = try #require(Autostart.server?.address)
                let adopting = TracerServer(address: address)
                try adopting.start()
                #expect(adopting.address == address)
                // The parent uses what the child uses, see `run`.
                #expect(try Self.status(at: address) == 200)
                let taken = TracerServer(address: address, registry: LifetimeRegistry())
                #expect(throws: ServerError.self) { try taken.start() }
                let end = Self.run {
                    guard Autostart.server == nil, adopting.address == nil else { return 1 }
                    do throws(ServerError) {
                        try adopting.start()
                        return 2
                    } catch {
                        return error.code == .addressInUse ? 0 : 3
                    }
                }
                #expect(end == .code(0))
                #expect(try Self.status(at: address) == 200)
            }
        }

        /// Runs a body in a child process.
        ///
        /// Swift's runtime initializes metadata at first use. If another thread did so at the moment of the fork, the
        /// child would wait for that thread forever. Therefore the other threads sleep first, and tests let the parent
        /// use what the child uses.
        private static func run(_ body: () -> Int32) -> ChildProcess.End {
            guard ProcessTable.waitUntilOtherThreadsSleep() else { return .notForked(errno: ETIMEDOUT) }
            return ChildProcess.run(body)
        }

        private static func status(at address: ListenAddress) throws -> Int {
            let client = try TestClient(address)
            client.request("GET", "/healthz")
            return try client.reply().status
        }

        /// A pipe with which a process waits for another.
        private struct Pipe: Sendable {
            let input: Int32
            let output: Int32

            init() throws {
                var ends: [Int32] = [0, 0]
                guard pipe(&ends) == 0 else { throw TestClient.Failure(description: "pipe: errno \(errno)") }
                (input, output) = (ends[0], ends[1])
            }

            func write() {
                var byte: UInt8 = 1
                _ = Glibc.write(output, &byte, 1)
            }

            func read() -> Bool {
                var byte: UInt8 = 0
                return Glibc.read(input, &byte, 1) == 1
            }

            func readToEnd() -> Bool {
                var byte: UInt8 = 0
                return Glibc.read(input, &byte, 1) == 0
            }
        }
    }
}
