import Dispatch
import Glibc
import LifetimeTracer
import LifetimeTracerDashboard
import Patience
import Testing

@testable import LifetimeTracerServer

extension ServerTests {
    /// Starting and stopping servers.
    @Suite struct LifecycleTests {
        @Test func hundredStartsLeakNothing() async {
            // The test runs in its own process, because other tests open files and start threads.
            await #expect(processExitsWith: .success) {
                let server = HTTPServer(
                    configuration: ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0)),
                    handler: TestServer.echo)
                func cycle() throws {
                    try server.start()
                    let client = try TestClient(#require(server.address))
                    client.request()
                    #expect(try client.reply().status == 200)
                    server.stop()
                }
                // The first cycle also opens the files that stay open for the life of the process.
                try cycle()
                let files = ProcessTable.descriptors.count
                let threads = ProcessTable.threads.count
                let addressSpace = ProcessTable.addressSpace
                try server.start()
                #expect(ProcessTable.threads.count > threads, "the count sees threads")
                #expect(ProcessTable.descriptors.count > files, "the count sees files")
                server.stop()
                for _ in 0..<100 { try cycle() }
                // System libraries occasionally open a file or start a thread. A leak would be a hundred of them.
                #expect(ProcessTable.descriptors.count <= files + 4)
                // The stacks of a hundred leaked threads would take eight times as much.
                #expect(ProcessTable.addressSpace < addressSpace + 100_000)
                // Dispatch may have started or ended a thread meanwhile.
                #expect(ProcessTable.threads.count <= threads + 4)
            }
        }

        @Test func hundredStartsWithStreamsLeakNothing() async {
            // The test runs in its own process, because other tests open files and start threads.
            await #expect(processExitsWith: .success) {
                func cycle() throws {
                    let stream = ScriptedStream(.text("x"))
                    let server = try TestServer { _ in HTTPResponse(status: 200, body: .stream(stream)) }
                    let client = try server.client()
                    client.request()
                    _ = try client.head()
                    #expect(try client.chunk() == [0x78])
                    server.server.stop()
                    #expect(try client.chunk() == nil)
                    #expect(stream.ends == [.serverStopped])
                }
                try cycle()
                let files = ProcessTable.descriptors.count
                let threads = ProcessTable.threads.count
                for _ in 0..<100 { try cycle() }
                // System libraries occasionally open a file or start a thread. A leak would be a hundred of them.
                #expect(ProcessTable.descriptors.count <= files + 4)
                #expect(ProcessTable.threads.count <= threads + 4)
            }
        }

        @Test func failedStartsLeakNothing() async {
            // The test runs in its own process, because other tests open files and start threads.
            await #expect(processExitsWith: .success) {
                let first = try TestServer()
                let files = ProcessTable.descriptors.count
                let threads = ProcessTable.threads.count
                for _ in 0..<100 {
                    #expect(throws: ServerError.self) { try TestServer(first.address) }
                }
                // System libraries occasionally open a file or start a thread. A leak would be a hundred of them.
                #expect(ProcessTable.descriptors.count <= files + 4)
                #expect(ProcessTable.threads.count <= threads + 4)
                withExtendedLifetime(first) {}
            }
        }

        @Test func stopIsIdempotent() throws {
            let server = try TestServer(TestServer.ownAddress(1))
            server.server.stop()
            #expect(server.server.address == nil)
            server.server.stop()
            #expect(throws: TestClient.Failure.self) { try server.client() }
        }

        @Test func handlerThatStopsItsOwnServerTraps() async throws {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let own = Locked<HTTPServer?>(nil)
                let server = try TestServer { _ in
                    own.withLock { $0 }?.stop()
                    return HTTPResponse(status: 200)
                }
                own.withLock { $0 = server.server }
                let client = try server.client()
                client.request()
                _ = try client.reply()
            }
            let said = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(said.contains("stop the server from another thread"))
        }

        @Test func concurrentStopsReturnAfterTheServerStopped() throws {
            let server = try TestServer(TestServer.ownAddress(2))
            let refused = Locked(0)
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                server.server.stop()
                if (try? TestClient(server.address)) == nil { refused.withLock { $0 += 1 } }
            }
            // Every call returned after the stop, not only the call that performed it.
            #expect(refused.withLock { $0 } == 8)
        }

        @Test func secondStartIsAnErrorUntilTheServerStops() throws {
            let server = try TestServer()
            let error = #expect(throws: ServerError.self) { try server.server.start() }
            #expect(error?.code == .alreadyRunning)
            server.server.stop()
            try server.server.start()
            #expect(server.server.address != nil)
        }

        @Test func handlerIsCreatedOnlyIfTheServerListens() throws {
            let made = Locked(0)
            let makeHandler: @Sendable () -> Answering = {
                made.withLock { $0 += 1 }
                return Answering(TestServer.echo)
            }
            let taken = try TestServer()
            let unlucky = HTTPServer(
                configuration: ServerConfiguration(address: taken.address), makingHandler: makeHandler)
            #expect(throws: ServerError.self) { try unlucky.start() }
            #expect(made.withLock { $0 } == 0)
            let lucky = HTTPServer(
                configuration: ServerConfiguration(address: .tcp(host: "127.0.0.1", port: 0)),
                makingHandler: makeHandler)
            try lucky.start()
            #expect(made.withLock { $0 } == 1)
            lucky.stop()
        }

        @Test func invalidLimitsAreRefused() throws {
            let adjustments: [@Sendable (inout ServerConfiguration) -> Void] = [
                { $0.limits.streams = $0.limits.connections }, { $0.limits.connections = 0 }, { $0.bodyLimit = -1 },
                { $0.limits.idleTimeout = .zero }, { $0.limits.headerDeadline = .seconds(-1) },
                { $0.limits.bodyDeadline = .seconds(100_000) }, { $0.probeInterval = .zero },
                { $0.limits.connectionsPerAddress = $0.limits.connections + 1 },
                { $0.limits.reservedConnections = $0.limits.connections },
            ]
            for adjust in adjustments {
                let error = #expect(throws: ServerError.self) {
                    try TestServer(adjust: adjust, handler: TestServer.echo)
                }
                #expect(error?.code == .invalidConfiguration)
            }
        }

        @Test func serverStopsCleanlyUnderLoad() throws {
            for round in 0..<20 {
                let streams = Locked([ScriptedStream]())
                let server = try TestServer { request in
                    guard request.target == "/events" else { return .text("hello") }
                    let stream = ScriptedStream(.text("x"))
                    streams.withLock { $0.append(stream) }
                    return HTTPResponse(status: 200, body: .stream(stream))
                }
                let address = server.address
                let answered = Locked(0)
                let isStopped = Locked(false)
                let underFire = DispatchSemaphore(value: 0)
                let stopper = DispatchGroup()
                let running = server.server
                DispatchQueue.global().async(group: stopper) {
                    underFire.wait()
                    running.stop()
                    isStopped.withLock { $0 = true }
                }
                DispatchQueue.concurrentPerform(iterations: 8) { number in
                    var count = 0
                    while !isStopped.withLock({ $0 }) {
                        guard let client = try? TestClient(address) else { continue }
                        let target = (number + count).isMultiple(of: 2) ? "/events" : "/"
                        client.request("GET", target)
                        if (try? client.head()) != nil { answered.withLock { $0 += 1 } }
                        count += 1
                        if answered.withLock({ $0 }) > 10 + round { underFire.signal() }
                    }
                }
                stopper.wait()
                for stream in streams.withLock({ $0 }) {
                    #expect(stream.ends.count == 1, "closed exactly once")
                    #expect(stream.readsAfterEnd == 0)
                }
            }
        }

        @Test func idleServerSleeps() async {
            // The test runs in its own process, because it counts threads and their context switches.
            await #expect(processExitsWith: .success) {
                let others = Set(ProcessTable.threads)
                let server = try TestServer()
                let own = Set(ProcessTable.threads).subtracting(others)
                #expect(own.count == 2)
                // The test checks that nothing happens, so there is no event to wait for. The threads need some time
                // until they sleep, which may be longer than one measurement.
                var slept = false
                for _ in 0..<5 where !slept {
                    let before = ProcessTable.sleeps(of: own)
                    usleep(1_500_000)
                    slept = ProcessTable.sleeps(of: own) == before
                }
                #expect(slept, "both threads sleep for 1.5 s on end")
                server.server.stop()
            }
        }

        @Test func serverThreadsBlockAllSignalsButSIGPROF() async {
            // The test runs in its own process, because other tests start threads.
            await #expect(processExitsWith: .success) {
                var unblocked = sigset_t()
                sigaddset(&unblocked, SIGTERM)
                sigaddset(&unblocked, SIGPROF)
                var mask = sigset_t()
                // Both signals are unblocked as in `main`. The threads that run tests block them.
                pthread_sigmask(SIG_UNBLOCK, &unblocked, &mask)
                defer { pthread_sigmask(SIG_SETMASK, &mask, nil) }

                let before = Set(ProcessTable.threads)
                let server = try TestServer()
                let own = Set(ProcessTable.threads).subtracting(before)
                #expect(own.count == 2)
                let suspension: UInt64 = 1 << (SIGPROF - 1)
                for thread in own {
                    // The system blocks all signals while it creates a thread.
                    let end = DispatchTime.now() + .seconds(Patience.seconds)
                    while ProcessTable.blockedSignals(ofThread: thread) & suspension != 0, DispatchTime.now() < end {
                        sched_yield()
                    }
                    let blocked = ProcessTable.blockedSignals(ofThread: thread)
                    #expect(blocked & suspension == 0, "a crash reporter can suspend the thread")
                    for signal in [SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS] {
                        #expect(blocked & (1 << (signal - 1)) != 0, "signal \(signal) is left to the program")
                    }
                }
                var after = sigset_t()
                pthread_sigmask(SIG_BLOCK, nil, &after)
                #expect(sigismember(&after, SIGTERM) == 0, "the starting thread is as it was")
                server.server.stop()
            }
        }
    }
}
