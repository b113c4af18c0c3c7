import Glibc
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// The limits of a server and their permitted values.
    @Suite struct ServerLimitsTests {
        @Test func limitsFollowFromTheNumberOfConnections() throws {
            let limits = ServerLimits(connections: 256)
            #expect(limits.connectionsPerAddress == 192)
            #expect(limits.reservedConnections == 32)
            #expect(limits.streams == 64)
            #expect(limits.headerDeadline == .seconds(3))
            for connections in [1, 2, 3, 7, 65_536] { try ServerLimits(connections: connections).validate() }
        }

        @Test func defaultConnectionLimitIsAQuarterOfTheFileLimit() async {
            // The test runs in its own process, because the limit applies to the whole process.
            await #expect(processExitsWith: .success) {
                for (files, connections) in [(4096, 256), (1024, 256), (400, 100), (8, 8)] {
                    try DescriptorTests.limitFiles(to: files)
                    #expect(ServerLimits().connections == connections)
                    try ServerLimits().validate()
                }
            }
        }

        @Test func limitListIsParsed() throws {
            let list = " connections=64, streams=3,headerDeadline=2.5 ,bodyDeadline=4,idleTimeout=5"
            let limits = try ServerLimits(list: list)
            #expect(
                limits
                    == ServerLimits(
                        connections: 64, streams: 3, headerDeadline: .seconds(2.5), bodyDeadline: .seconds(4),
                        idleTimeout: .seconds(5)))
            #expect(limits.connectionsPerAddress == 48)
            let others = try ServerLimits(list: "connections=64,connectionsPerAddress=5,reservedConnections=6")
            #expect(others == ServerLimits(connections: 64, connectionsPerAddress: 5, reservedConnections: 6))
            for empty in ["", " ", ","] { #expect(try ServerLimits(list: empty) == ServerLimits()) }
        }

        @Test(arguments: [
            ("connections", "connections = \"\" is not a number; use a whole number"),
            ("connections=", "connections = \"\" is not a number; use a whole number"),
            ("connections=1e3", "connections = \"1e3\" is not a number; use a whole number"),
            (
                "connections=99999999999999999999",
                "connections = \"99999999999999999999\" is not a number; use a whole number"
            ),
            ("connections=65537", "connections = 65537 is out of range; use 1 to 65536"),
            ("connections=-1", "connections = -1 is out of range; use 1 to 65536"),
            ("connections=9,connections=9", "the limit connections is given twice; give each limit once"),
            ("connections=9,connectionsPerAddress=10", "connectionsPerAddress = 10 is out of range; use 1 to 9"),
            ("connections=9,reservedConnections=9", "reservedConnections = 9 is out of range; use 0 to 8"),
            ("connections=9,streams=9", "streams = 9 is out of range; use 0 to 8"),
            ("connections=1,streams=1", "streams = 1 is out of range; use 0"),
            ("headerDeadline=soon", "headerDeadline = \"soon\" is not a time; use seconds, such as 2.5"),
            ("headerDeadline=nan", "headerDeadline = \"nan\" is not a time; use seconds, such as 2.5"),
            ("headerDeadline=1e300", "headerDeadline = \"1e300\" is not a time; use seconds, such as 2.5"),
            ("bodyDeadline=0", "bodyDeadline = 0.0 s is out of range; use 0.001 to 3600 s"),
            ("headerDeadline=1e-30", "headerDeadline = 0.0 s is out of range; use 0.001 to 3600 s"),
            ("idleTimeout=3601", "idleTimeout = 3601.0 s is out of range; use 0.001 to 3600 s"),
            ("x=1", "\"x\" is not the name of a limit; use connections, "),
            ("\u{1B}[2J=1", "\"\u{FFFD}[2J\" is not the name of a limit; use connections, "),
        ])
        func invalidLimitListIsRefused(list: String, reason: String) {
            let error = #expect(throws: ServerError.self) { try ServerLimits(list: list) }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.description.hasPrefix(reason) == true, "\(error as Any)")
        }

        @Test func serverStartRefusesInvalidLimits() {
            let server = TracerServer(address: ":0", limits: ServerLimits(connections: 0))
            let error = #expect(throws: ServerError.self) { try server.start() }
            #expect(error?.code == .invalidConfiguration)
            #expect(error?.description == "connections = 0 is out of range; use 1 to 65536")
        }
    }
}
