import Testing
import TracerBase

@testable import LifetimeTracerServer

extension ServerTests {
    /// Admission and eviction of connections, without sockets and without a clock.
    @Suite struct ConnectionTableTests {
        @Test func oldestConnectionAwaitingARequestIsEvicted() {
            var table = Table(connections: 3)
            for descriptor: Int32 in 1...3 { #expect(table.admit(descriptor) == .admitted(evicting: nil)) }
            #expect(table.admit(4) == .admitted(evicting: 1))
            table.enter(.answer, 2)
            #expect(table.admit(5) == .admitted(evicting: 3))
            table.enter(.kept, 2)
            #expect(table.admit(6) == .admitted(evicting: 4), "2 awaits a request for a shorter time than 4")
            #expect(table.admit(7) == .admitted(evicting: 5))
            #expect(table.admit(8) == .admitted(evicting: 2))
        }

        @Test func streamsAndProgressingResponsesAreNotEvicted() {
            var table = Table(connections: 2)
            table.admit(1)
            table.enter(.stream, 1)
            table.admit(2)
            table.enter(.answer, 2)
            #expect(table.admit(3) == .refused)
            table.stalled = [1, 2]
            #expect(table.admit(3) == .admitted(evicting: 2), "its client does not take the answer")
        }

        @Test func connectionsWithUnreadRequestsAreEvictedLast() {
            var table = Table(connections: 2)
            table.admit(1)
            table.admit(2)
            table.peers = [1: .unread]
            #expect(table.admit(3) == .admitted(evicting: 2))
            table.peers = [1: .unread, 3: .unread]
            #expect(table.admit(4) == .admitted(evicting: 1), "where nothing else can give way")
        }

        @Test func perAddressLimitEvictsFromTheSameAddress() {
            var table = Table(connections: 10, connectionsPerAddress: 2)
            table.admit(1, from: "10.0.0.1")
            table.admit(2, from: "10.0.0.2")
            table.admit(3, from: "10.0.0.2")
            #expect(table.admit(4, from: "10.0.0.2") == .admitted(evicting: 2))
            table.enter(.stream, 3)
            table.enter(.stream, 4)
            #expect(table.admit(5, from: "10.0.0.2") == .refused)
            #expect(table.admit(5, from: "10.0.0.3") == .admitted(evicting: nil))
            table.table.remove(3)
            #expect(table.admit(6, from: "10.0.0.2") == .admitted(evicting: nil))
        }

        @Test func evictionPicksTheAddressWithTheMostConnections() {
            var table = Table(connections: 4)
            table.admit(1, from: "10.0.0.1")
            for descriptor: Int32 in 2...4 { table.admit(descriptor, from: "10.0.0.2") }
            #expect(table.admit(5, from: "10.0.0.3") == .admitted(evicting: 2), "1 is older, and has one alone")
        }

        @Test func clientThatHasJustConnectedIsNotEvictedFirst() {
            var table = Table(connections: 5)
            for (descriptor, host): (Int32, String) in [(1, "1"), (2, "1"), (3, "2"), (4, "2")] {
                table.admit(descriptor, from: "10.0.0.\(host)")
                table.enter(.answer, descriptor)
            }
            table.admit(5, from: "10.0.0.9")
            #expect(table.admit(6, from: "10.0.0.3") == .admitted(evicting: 1), "5 is too young to be evicted first")
            table.enter(.answer, 6)
            #expect(table.admit(7, from: "10.0.0.2") == .refused, "5 has an address to itself")
            table.peers = [3: .unread]
            table.enter(.kept, 3)
            #expect(table.admit(7, from: "10.0.0.4") == .admitted(evicting: 4))
            table.pass(ConnectionTable.grace)
            #expect(table.admit(8, from: "10.0.0.2") == .admitted(evicting: 5), "5 has had time to send a request")
        }

        @Test func answeringConnectionIsEvictedForAnAddressWithFewer() {
            var table = Table(connections: 4)
            for descriptor: Int32 in 1...4 {
                table.admit(descriptor, from: "10.0.0.1")
                table.enter(.answer, descriptor)
            }
            #expect(table.admit(5, from: "10.0.0.1") == .refused)
            #expect(table.admit(6, from: "10.0.0.2") == .admitted(evicting: 1))
        }

        @Test func connectionsAreReservedForAddressesWithFewConnections() {
            var table = Table(connections: 12, reservedConnections: 2)
            for descriptor: Int32 in 1...10 {
                #expect(table.admit(descriptor, from: "10.0.0.1") == .admitted(evicting: nil))
                table.enter(.stream, descriptor)
            }
            #expect(table.admit(11, from: "10.0.0.1") == .refused)
            #expect(table.admit(11, from: "10.0.0.2") == .admitted(evicting: nil))
            #expect(table.admit(12, from: "10.0.0.2") == .admitted(evicting: nil))
        }

        @Test func clientsOfOneIPv6NetworkShareOneLimit() {
            var table = Table(connections: 10, connectionsPerAddress: 1)
            table.admit(1, from: "2001:db8::1")
            #expect(table.admit(2, from: "2001:db8::2") == .admitted(evicting: 1))
            #expect(table.admit(3, from: "2001:db8:0:1::1") == .admitted(evicting: nil))
        }

        @Test func clientsOfAUnixSocketHaveNoAddress() throws {
            let path = try #require(SocketAddress(path: "/x"))
            #expect(ClientAddress(path) == nil)
            var table = Table(connections: 3, connectionsPerAddress: 1)
            for descriptor: Int32 in 1...3 { #expect(table.admit(descriptor, from: nil) == .admitted(evicting: nil)) }
            #expect(table.admit(4, from: nil) == .admitted(evicting: 1))
        }

        @Test func acceptingPausesWhileTheServerIsBehind() {
            var table = Table(connections: 100)
            for descriptor: Int32 in 1...25 {
                #expect(table.table.mayAccept)
                table.admit(descriptor, isServed: false)
            }
            #expect(!table.table.mayAccept, "libmicrohttpd is behind by a quarter of the connections")
            for descriptor: Int32 in 1...25 { table.table.serve(descriptor) }
            #expect(table.table.mayAccept)
            for descriptor: Int32 in 26...100 { table.admit(descriptor) }
            for descriptor: Int32 in 101...116 {
                #expect(table.table.mayAccept)
                table.admit(descriptor)
            }
            #expect(!table.table.mayAccept, "16 are shut down and not closed")
            table.table.remove(1)
            #expect(table.table.mayAccept)
        }

        @Test func unservedConnectionWithAReusedDescriptorIsForgotten() {
            var table = Table(connections: 4)
            table.admit(1, isServed: false)
            #expect(!table.table.mayAccept)
            // The descriptor now belongs to another file.
            table.identity = FileIdentity(of: 0)
            #expect(table.look() == [])
            #expect(table.table.mayAccept && !table.table.needsLooks)
        }

        @Test func endedClientIsDisconnectedAtTheSecondCheck() {
            var table = Table(connections: 4)
            table.admit(1)
            table.peers = [1: .ended]
            #expect(table.look() == [])
            table.peers = [1: .unread]
            #expect(table.look() == [])
            table.peers = [1: .ended]
            #expect(table.look() == [])
            table.enter(.body, 1)
            #expect(table.look() == [], "meanwhile more of the request was read")
            #expect(table.look() == [1])
            #expect(table.look() == [])
            table.admit(2)
            table.enter(.answer, 2)
            table.peers = [2: .ended]
            for _ in 1...3 { #expect(table.look() == [], "the answer can still be read") }
        }

        @Test func slowClientIsCutAndUnreadBytesPostponeTheCut() {
            var table = Table(connections: 4)
            table.admit(1)
            table.pass(.seconds(2))
            #expect(table.look() == [])
            table.enter(.header, 1)
            table.pass(.seconds(1))
            table.peers = [1: .unread]
            #expect(table.look() == [], "its bytes have come")
            table.pass(.seconds(1))
            table.peers = [:]
            #expect(table.look() == [], "they are read, and perhaps not looked at yet")
            table.pass(.seconds(1))
            #expect(table.look() == [1], "three seconds from its opening are over")
            table.admit(2)
            table.peers = [2: .unread]
            var seconds = 0
            while table.look() == [], seconds < 100 {
                table.pass(.seconds(1))
                seconds += 1
            }
            #expect(seconds == 30, "not for ever")
        }

        @Test func eachPhaseHasItsDeadline() {
            for (phase, seconds) in [(ConnectionTable.Phase.body, 10), (.kept, 15)] {
                var table = Table(connections: 4)
                table.admit(1)
                table.pass(.seconds(2))
                table.enter(phase, 1)
                #expect(table.table.nextDeadline == table.now.advanced(by: .seconds(seconds)))
                table.pass(.seconds(seconds - 1))
                #expect(table.look() == [])
                table.pass(.seconds(1))
                #expect(table.look() == [1])
            }
            for phase in [ConnectionTable.Phase.answer, .stream] {
                var table = Table(connections: 4)
                table.admit(1)
                table.enter(phase, 1)
                table.pass(.seconds(3000))
                #expect(table.table.nextDeadline == nil && !table.table.needsLooks)
                #expect(table.look() == [])
            }
            var table = Table(connections: 4)
            table.admit(1)
            table.enter(.kept, 1)
            table.pass(.seconds(5))
            table.enter(.header, 1)
            #expect(table.table.nextDeadline == table.now.advanced(by: .seconds(3)), "from the first line")
        }

        /// A connection table with a manual clock and simulated clients.
        private struct Table {
            var table: ConnectionTable
            var now = MonotonicInstant(nanoseconds: 1_000_000_000)
            var peers: [Int32: ConnectionTable.Peer] = [:]
            var stalled: Set<Int32> = []
            var identity: FileIdentity?

            init(connections: Int, connectionsPerAddress: Int? = nil, reservedConnections: Int = 0) {
                table = ConnectionTable(
                    limits: ServerLimits(
                        connections: connections, connectionsPerAddress: connectionsPerAddress ?? connections,
                        reservedConnections: reservedConnections))
            }

            @discardableResult
            mutating func admit(
                _ descriptor: Int32, from host: String? = "127.0.0.1", isServed: Bool = true
            ) -> ConnectionTable.Admission {
                pass(.nanoseconds(1))
                let client = host.flatMap { SocketAddress(host: $0, port: 1) }.flatMap { ClientAddress($0) }
                let admission = table.admit(descriptor, socket: nil, client: client, now: now, sight: sight)
                if isServed, admission != .refused { table.serve(descriptor) }
                return admission
            }

            mutating func enter(_ phase: ConnectionTable.Phase, _ descriptor: Int32) {
                pass(.nanoseconds(1))
                _ = table.enter(phase, descriptor, now: now)
            }

            mutating func pass(_ duration: Duration) {
                now = now.advanced(by: duration)
            }

            mutating func look() -> [Int32] {
                table.overdue(now: now, patience: .milliseconds(400), sight: sight)
            }

            private var sight: ConnectionTable.Sight {
                let (peers, stalled, identity) = (peers, stalled, identity)
                return ConnectionTable.Sight(
                    peer: { peers[$0] ?? .silent }, isStalled: { stalled.contains($0) }, identity: { _ in identity })
            }
        }
    }
}
