import Foundation
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// `Documentation/Security.md` has a table of all limits and their defaults.
    @Suite struct LimitTableTests {
        /// The cells of the table's lines, by their first cell without marks.
        private static func table() throws -> [String: [String]] {
            let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent()
            let text = try String(contentsOf: root.appending(path: "Documentation/Security.md"), encoding: .utf8)
            let lines = text.split(separator: "\n").drop { !$0.hasPrefix("| limit | default |") }.dropFirst(2)
            return Dictionary(
                uniqueKeysWithValues: lines.prefix { $0.hasPrefix("|") }.map { line in
                    let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
                    return (cells[0].trimmingCharacters(in: ["`", "–", " "]), cells)
                })
        }

        @Test func documentedDefaultsAreThoseOfTheServer() throws {
            let table = try Self.table()
            let limits = ServerLimits(connections: 256)
            let properties = Mirror(reflecting: limits).children.compactMap(\.label)
            #expect(Set(table.keys) == Set(properties + ["connections being closed", "the server itself"]))
            let fractions = [32: "⅛", 64: "¼", 128: "½", 192: "¾"]
            for (name, share) in [
                ("connectionsPerAddress", limits.connectionsPerAddress),
                ("reservedConnections", limits.reservedConnections), ("streams", limits.streams),
            ] {
                #expect(table[name]?[1] == fractions[share].map { "\($0) of `connections`" })
            }
            for (name, time) in [
                ("headerDeadline", limits.headerDeadline), ("bodyDeadline", limits.bodyDeadline),
                ("idleTimeout", limits.idleTimeout),
            ] {
                #expect(table[name]?[1] == "\(time.components.seconds) s")
            }
            #expect(table["connections being closed"]?[1] == "\(ServerLimits.closingConnections), fixed")
            #expect(
                table["reservedConnections"]?[2].contains("fewer than \(ServerLimits.fewConnections) connections")
                    == true)
        }

        /// The number of open files, without those that other threads have open for a moment.
        private static func steadyDescriptors() -> Int {
            let counts = (0..<100).map { _ in
                sched_yield()
                return ProcessTable.descriptors.count
            }
            return counts.min() ?? 0
        }

        @Test func documentedDescriptorsAreThoseOfAServerWithoutClients() async throws {
            let documented = try #require(try Self.table()["the server itself"]?[1])
            // The test runs in its own process, because other tests open files as well.
            await #expect(processExitsWith: .success) { [documented = documented as String] in
                // The first server opens the files that stay open for the life of the process.
                try TestServer().server.stop()
                var counts: [Int] = []
                for _ in 0..<5 {
                    let before = Self.steadyDescriptors()
                    let server = TracerServer(address: "127.0.0.1:0")
                    try server.start()
                    counts.append(Self.steadyDescriptors() - before)
                    server.stop()
                }
                // Another thread may open a file that stays open during one of the counts.
                #expect("\(counts.sorted()[2]), fixed" == documented, "\(counts)")
            }
        }
    }
}
