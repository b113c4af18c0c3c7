#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The registers of threads that wait, which a search reads if an object would have no holder otherwise.
///
/// What a register holds is tested by shapes.
@Suite(.disabledUnderSanitizers) struct EngineRegisterTests {
    /// The status of an object that nothing holds, for which the search reads the registers.
    private static func statusOfLostLeaf() async -> HeapAnswer.Finding.Status? {
        try? await Engine.findings([Engine.loseLeaf()])[0].status
    }

    /// The process is its own, because other tests would start threads that wait.
    @Test func waitsGoOnAfterRegistersAreRead() async {
        await #expect(processExitsWith: .success) {
            let semaphore = SystemSemaphore()
            let (polled, read) = (PipeEnds(), PipeEnds())
            let interrupted = [
                Waiter("sem_wait") { semaphore.wait() + 1 },
                Waiter("poll") { polled.poll(limit: -1) },
                Waiter("poll with a limit") { polled.poll(limit: 600_000) },
            ]
            // A wait that the kernel might end is left out.
            let leftOut = Waiter("read") { read.read() }
            let sleeper = Waiter("sleep") { Int(sleep(86_400)) }
            let all = interrupted + [leftOut, sleeper]
            for waiter in all { demand(waiter.waits(), "\(waiter.name) does not wait") }
            let before = all.map { $0.waitCount ?? -1 }
            let status = await Self.statusOfLostLeaf()
            demand(status == .noRootFound, "\(String(describing: status))")
            for (waiter, count) in zip(all, before) {
                demand(waiter.waits() && waiter.result == nil, "\(waiter.name) waits no longer")
                let now = waiter.waitCount ?? -1
                demand(waiter === leftOut ? now == count : now > count, "\(waiter.name): \(count), then \(now)")
            }
            semaphore.signal()
            polled.write()
            read.write()
            for waiter in interrupted + [leftOut] {
                waiter.join()
                demand(waiter.result == 1, "\(waiter.name) returned \(String(describing: waiter.result))")
            }
        }
    }

    /// Reading the registers of a thread that a signal stops at the same time must not lose the signal.
    @Test func signalsArriveWhileRegistersAreRead() async {
        await #expect(processExitsWith: .success) {
            signal(SIGUSR1) { _ in arrivals.write() }
            let semaphore = SystemSemaphore()
            let isOver = Locked(false)
            let waiters = (0..<24).map { number in
                Waiter("sem_wait \(number)") {
                    // The threads of Dispatch block signals, and so do the threads that they create.
                    var signals = sigset_t()
                    sigaddset(&signals, SIGUSR1)
                    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
                    while semaphore.wait() != 0 {}
                    return 1
                }
            }
            let sender = Waiter("signals") {
                while !isOver.withLock({ $0 }) {
                    for waiter in waiters { waiter.send(signal: SIGUSR1) }
                    for _ in waiters where arrivals.poll(limit: 60_000) != 1 || arrivals.read() != 1 { return 0 }
                }
                return 1
            }
            for _ in 0..<40 where sender.result == nil { _ = await Self.statusOfLostLeaf() }
            isOver.withLock { $0 = true }
            sender.join()
            demand(sender.result == 1, "a signal was lost")
            for _ in waiters { semaphore.signal() }
            for waiter in waiters { waiter.join() }
        }
    }
}

/// One byte for each signal that has arrived.
private let arrivals = PipeEnds()
#endif
