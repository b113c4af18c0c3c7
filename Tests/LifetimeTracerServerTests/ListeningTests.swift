import Glibc
import LifetimeTracerDashboard
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// Addresses on which a server can and cannot listen.
    @Suite struct ListeningTests {
        @Test func portZeroPicksAFreePort() throws {
            let first = try TestServer()
            let second = try TestServer()
            #expect(first.address != second.address)
            for server in [first, second] {
                guard case .tcp("127.0.0.1", let port) = server.address else {
                    Issue.record("\(server.address)")
                    continue
                }
                #expect(port != 0)
                let client = try server.client()
                client.request()
                #expect(try client.reply().status == 200)
            }
        }

        @Test func portInUseIsAnError() throws {
            let first = try TestServer()
            let error = #expect(throws: ServerError.self) { try TestServer(first.address) }
            #expect(error?.code == .addressInUse)
            #expect(error?.errno == EADDRINUSE)
            #expect(
                error?.description
                    == "cannot listen on \(first.address): Address already in use (errno 98);"
                    + " pass another port, or port 0 to pick a free one")
        }

        @Test func portIsFreeAgainAfterAStopWithOpenConnections() throws {
            let first = try TestServer()
            let client = try first.client()
            client.request()
            #expect(try client.reply().status == 200)
            first.server.stop()
            let second = try TestServer(first.address)
            #expect(second.address == first.address)
        }

        @Test func serverListensOnLocalhost() throws {
            let server = try TestServer(.tcp(host: "localhost", port: 0))
            #expect(server.address.url.hasPrefix("http://localhost:"))
            let client = try server.client()
            client.request()
            #expect(try client.reply().status == 200)
        }

        @Test(.enabled(if: ListeningTests.hasIPv6, "this machine has no ::1")) func serverListensOnIPv6Loopback() throws
        {
            let server = try TestServer(.tcp(host: "::1", port: 0))
            #expect(server.address.url.hasPrefix("http://[::1]:"))
            let client = try server.client()
            client.request()
            #expect(try client.reply().status == 200)
        }

        @Test func listeningOnAnotherMachinesAddressFails() {
            let error = #expect(throws: ServerError.self) { try TestServer(.tcp(host: "192.0.2.1", port: 0)) }
            #expect(error?.errno == EADDRNOTAVAIL)
            #expect(error?.description.contains("192.0.2.1:0") == true)
        }

        @Test func listeningOnAHostNameFails() {
            let error = #expect(throws: ServerError.self) { try TestServer(.tcp(host: "example.com", port: 0)) }
            #expect(error?.code == .invalidAddress)
            #expect(error?.description.contains("example.com") == true)
        }

        @Test func serverDescriptorsAreCloseOnExec() async {
            // The test runs in its own process, because other tests open files.
            await #expect(processExitsWith: .success) {
                let before = Set(ProcessTable.descriptors)
                let server = try TestServer()
                let client = try server.client()
                client.request()
                #expect(try client.reply().status == 200)
                let own = Set(ProcessTable.descriptors).subtracting(before).subtracting([client.descriptor])
                #expect(own.count >= 4, "the socket, the connection, and what the acceptor and libmicrohttpd need")
                #expect(own.filter { fcntl($0, F_GETFD) & FD_CLOEXEC == 0 } == [])
            }
        }

        @Test func unixSocketIsAccessibleToItsOwnerOnly() async {
            // The test runs in its own process, because other tests create files, and the mask applies to the whole
            // process.
            await #expect(processExitsWith: .success) {
                let folder = try TestFolder()
                let path = folder.path("tracer.sock")
                let before = umask(0)
                defer { umask(before) }
                let server = try TestServer(.unix(path: path))
                var status = stat()
                #expect(lstat(path, &status) == 0)
                #expect(status.st_mode & S_IFMT == S_IFSOCK)
                #expect(status.st_mode & 0o7777 == 0o600)
                #expect(umask(0) == 0, "the umask is as it was")
                let client = try server.client()
                client.request("GET", "/x")
                #expect(try client.reply().text.hasPrefix("GET /x\n"))
                server.server.stop()
                #expect(folder.names == [], "the file goes with the server")
            }
        }

        @Test func streamWorksOverAUnixSocket() throws {
            let folder = try TestFolder()
            let stream = ScriptedStream(.text("x"))
            let server = try TestServer(
                .unix(path: folder.path("s")), adjust: { $0.probeInterval = .milliseconds(20) },
                handler: { _ in HTTPResponse(status: 200, body: .stream(stream)) })
            let client = try server.client()
            client.request()
            _ = try client.head()
            #expect(try client.chunk() == [0x78])
            client.disconnect()
            #expect(stream.waitForEnd() == .disconnected)
        }

        @Test func staleSocketIsReplaced() throws {
            let folder = try TestFolder()
            let path = folder.path("stale")
            try Self.leaveStaleSocket(at: path)
            let server = try TestServer(.unix(path: path))
            let client = try server.client()
            client.request()
            #expect(try client.reply().status == 200)
        }

        @Test func unixSocketInUseIsRefused() throws {
            let folder = try TestFolder()
            let first = try TestServer(.unix(path: folder.path("live")))
            let error = #expect(throws: ServerError.self) { try TestServer(first.address) }
            #expect(error?.code == .addressInUse)
            #expect(error?.description.contains("cannot listen on \(first.address): Address already in use") == true)
            let client = try first.client()
            client.request()
            #expect(try client.reply().status == 200, "the first one is not disturbed")
        }

        @Test func nonSocketFileIsRefusedAndKept() throws {
            let folder = try TestFolder()
            let path = folder.path("precious")
            close(open(path, O_CREAT | O_WRONLY, 0o644))
            let error = #expect(throws: ServerError.self) { try TestServer(.unix(path: path)) }
            #expect(error?.code == .notASocket)
            #expect(error?.description.contains(path) == true)
            #expect(folder.names == ["precious"])
        }

        @Test func fileOfAnotherServerIsNotRemoved() throws {
            let folder = try TestFolder()
            let path = folder.path("taken")
            let server = try TestServer(.unix(path: path))
            unlink(path)
            let successor = try TestServer(.unix(path: path))
            server.server.stop()
            #expect(folder.names == ["taken"])
            let client = try successor.client()
            client.request()
            #expect(try client.reply().status == 200)
        }

        @Test func missingSocketFolderIsReported() throws {
            let folder = try TestFolder()
            let error = #expect(throws: ServerError.self) {
                try TestServer(.unix(path: folder.path("missing/tracer.sock")))
            }
            #expect(error?.errno == ENOENT)
            #expect(error?.description.contains("missing/tracer.sock") == true)
            #expect(error?.hint.contains("directory") == true)
        }

        @Test func unwritableSocketFolderIsReported() throws {
            let folder = try TestFolder()
            chmod(folder.path, 0o500)
            let path = folder.path("tracer.sock")
            let error = FileRights.asNobody {
                do throws(ServerError) {
                    try ListeningSocket.open(.unix(path: path)).release()
                    return nil as ServerError?
                } catch {
                    return error
                }
            }
            chmod(folder.path, 0o700)
            #expect(error?.errno == EACCES)
            #expect(error?.description.contains(path) == true)
            #expect(error?.hint.contains("directory") == true)
        }

        @Test func oversizedSocketPathIsReported() throws {
            let path = "/tmp/" + String(repeating: "x", count: 103)
            let error = #expect(throws: ServerError.self) { try TestServer(.unix(path: path)) }
            #expect(error?.errno == ENAMETOOLONG)
            #expect(error?.description.contains("108 bytes") == true)
            #expect(error?.description.contains("107") == true)
        }

        @Test func releasedSocketRefusesClientsDespiteACopyOfItsDescriptor() throws {
            let socket = try ListeningSocket.open(TestServer.ownAddress(4))
            // As in a process that the program is starting.
            let copy = fcntl(socket.descriptor, F_DUPFD_CLOEXEC, 0)
            defer { close(copy) }
            socket.release()
            #expect(throws: TestClient.Failure.self) { try TestClient(socket.address) }
        }

        static func leaveStaleSocket(at path: String) throws {
            let descriptor = StreamSocket.make(family: AF_UNIX)
            defer { close(descriptor) }
            let address = try #require(SocketAddress(path: path))
            #expect(address.withPointer { bind(descriptor, $0, $1) } == 0)
            #expect(listen(descriptor, 1) == 0)
        }

        static let hasIPv6: Bool = {
            guard let socket = try? ListeningSocket.open(.tcp(host: "::1", port: 0)) else { return false }
            socket.release()
            return true
        }()
    }
}
