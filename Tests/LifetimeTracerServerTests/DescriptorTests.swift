import ForkTesting
import Glibc
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// A server in a program that has no descriptors left.
    @Suite struct DescriptorTests {
        @Test func startWithoutDescriptorsReportsTheReason() async {
            // The test runs in its own process, because the limit applies to the whole process.
            await #expect(processExitsWith: .success) {
                // The first server opens the files that stay open for the life of the process.
                try TestServer().server.stop()
                let before = ProcessTable.descriptors.count
                try Self.limitFiles(to: 100)
                var fillers = Self.fill()
                var failures = 0
                while let filler = fillers.popLast() {
                    do throws(ServerError) {
                        let server = TracerServer(address: "127.0.0.1:0")
                        try server.start()
                        server.stop()
                        break
                    } catch {
                        failures += 1
                        #expect(error.errno == EMFILE)
                        #expect(error.message == "cannot listen on 127.0.0.1:0: Too many open files (errno 24)")
                        #expect(
                            error.hint.hasPrefix(
                                "the program has reached its limit of 100 open files (RLIMIT_NOFILE); raise the limit"))
                    }
                    close(filler)
                }
                #expect(failures >= 6, "a server needs five descriptors, and one for a connection")
                #expect(!fillers.isEmpty)
                for filler in fillers { close(filler) }
                #expect(ProcessTable.descriptors.count <= before + 1)
            }
        }

        @Test func descriptorShortageIsLoggedOnceAndTheServerRecovers() async {
            // The test runs in its own process, because the limit applies to the whole process.
            await #expect(processExitsWith: .success) {
                let server = try TestServer(adjust: { $0.shortageEpisodeGap = .zero })
                let usual = ProcessTable.descriptors.count
                try Self.limitFiles(to: 100)
                for episode in 1...2 {
                    var fillers = Self.fill()
                    // Frees a descriptor for the client's end.
                    close(fillers.removeLast())
                    let client = try server.client()
                    client.request()
                    #expect(server.waitForFault())
                    let before = Self.processorSeconds
                    // The test checks that nothing happens, so there is no event to wait for.
                    #expect(!client.isReadable(within: 1500))
                    #expect(Self.processorSeconds - before < 0.5, "no thread spins")
                    #expect(server.faults.count == episode, "\(server.faults)")
                    for filler in fillers { close(filler) }
                    #expect(try client.reply().status == 200, "the server goes on by itself")
                    client.disconnect()
                    // Waits until the server has closed its end, too. Otherwise it would have a free descriptor in the
                    // next episode.
                    while ProcessTable.descriptors.count > usual { sched_yield() }
                }
                let address = server.address
                #expect(
                    server.faults.first
                        == "cannot accept connections on \(address): Too many open files (errno 24); clients must wait;"
                        + " \(DescriptorLimit.remedy(for: EMFILE))")
                server.server.stop()
            }
        }

        @Test func descriptorShortageEvictsAConnection() async {
            await #expect(processExitsWith: .success) {
                let server = try TestServer()
                let holder = try server.client()
                holder.send("GET ")
                let second = try server.client()
                second.request()
                #expect(try second.reply().status == 200)
                try Self.limitFiles(to: 100)
                var fillers = Self.fill()
                close(fillers.removeLast())
                let client = try server.client()
                client.request()
                #expect(try client.reply().status == 200)
                #expect(try holder.isClosedByPeer())
                for filler in fillers { close(filler) }
            }
        }

        @Test func theConnectionThatTakesTheLastDescriptorIsAnswered() async {
            await #expect(processExitsWith: .success) {
                let server = try TestServer()
                try Self.limitFiles(to: 100)
                var fillers = Self.fill()
                // Frees a descriptor for each end of the connection.
                close(fillers.removeLast())
                close(fillers.removeLast())
                let client = try server.client()
                client.request()
                #expect(try client.reply().status == 200)
                #expect(server.faults.isEmpty, "no connection waits: \(server.faults)")
                for filler in fillers { close(filler) }
            }
        }

        /// Daemons close all descriptors that they may have inherited.
        ///
        /// ThreadSanitizer reports a race with the threads that use them, and there is one.
        @Test(.enabled(if: !Sanitizer.reportsRaces)) func serverWhoseDescriptorsAreClosedSleeps() async {
            await #expect(processExitsWith: .success) {
                // The first server opens the files that stay open for the life of the process.
                try TestServer().server.stop()
                let before = Set(ProcessTable.descriptors)
                let stream = ScriptedStream()
                let answer = StreamTests.answer(with: stream)
                // libmicrohttpd wakes for the idle connection after a second.
                let server = try TestServer(adjust: { $0.limits.idleTimeout = .seconds(1) }, handler: answer)
                let streaming = try server.client()
                streaming.request("GET", "/events")
                #expect(try streaming.head().status == 200)
                let idle = try server.client()
                idle.request("GET", "/other")
                #expect(try idle.reply().status == 200)
                for descriptor in Set(ProcessTable.descriptors).subtracting(before)
                where descriptor != streaming.descriptor && descriptor != idle.descriptor {
                    close(descriptor)
                }
                #expect(server.waitForFault())
                #expect(
                    server.faults == [
                        "the program has closed the sockets of the server at \(server.address), so the page is gone"
                    ])
                stream.push(.text("nobody reads this"))
                let used = Self.processorSeconds
                // The test checks that nothing happens, so there is no event to wait for.
                usleep(4_000_000)
                #expect(Self.processorSeconds - used < 0.3, "no thread spins")
                server.server.stop()
                #expect(try streaming.isClosedByPeer(), "the sockets are closed, and the files of the program are not")
            }
        }

        @Test(.enabled(if: !Sanitizer.reportsRaces)) func descriptorsThatTheProgramReusesAreNotRead() async {
            await #expect(processExitsWith: .success) {
                try TestServer().server.stop()
                let before = Set(ProcessTable.descriptors)
                let server = try TestServer()
                let own = Set(ProcessTable.descriptors).subtracting(before).sorted()
                var ends: [Int32] = [-1, -1]
                try #require(pipe(&ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
                let text = "read by the program"
                try #require(write(ends[1], text, text.utf8.count) == text.utf8.count)
                // Each number of the server becomes one of the program's file, without a moment in which it is free.
                for descriptor in own { try #require(dup2(ends[0], descriptor) == descriptor) }
                #expect(server.waitForFault())
                #expect(server.faults.allSatisfy { $0.hasPrefix("the program has closed the sockets") })
                var buffer = [UInt8](repeating: 0, count: 64)
                let count = read(ends[0], &buffer, buffer.count)
                #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == text)
            }
        }

        /// Sets the number of files that this process may open.
        static func limitFiles(to count: Int) throws {
            var limit = rlimit()
            try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            limit.rlim_cur = rlim_t(count)
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        }

        /// Opens files until no descriptor is left, including descriptors that other threads close a moment later.
        private static func fill() -> [Int32] {
            var fillers: [Int32] = []
            var refusals = 0
            while refusals < 20 {
                let filler = dup(0)
                if filler >= 0 {
                    fillers.append(filler)
                    refusals = 0
                } else {
                    refusals += 1
                    usleep(20_000)
                }
            }
            return fillers
        }

        /// The CPU time of this process.
        ///
        /// Reading it takes no descriptor.
        private static var processorSeconds: Double {
            var used = timespec()
            clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
            return Double(used.tv_sec) + Double(used.tv_nsec) / 1e9
        }
    }
}
