import Synchronization
import Testing

@testable import LifetimeTracerServer

/// How often the server asks the system about the memory of the process.
struct MemoryCheckTests {
    /// The answers of a system, and how often it was asked.
    private final class System: Sendable {
        let isLimited = Atomic(false)
        let hasRoom = Atomic(true)
        let looks = Atomic(0)
    }

    private let system = System()
    private let check: MemoryCheck

    init() {
        check = MemoryCheck(
            isLimited: { [system] in
                system.looks.add(1, ordering: .relaxed)
                return system.isLimited.load(ordering: .relaxed)
            },
            hasRoomNow: { [system] in system.hasRoom.load(ordering: .relaxed) })
    }

    private func hasRoom(at nanoseconds: UInt64) -> Bool {
        check.hasRoom(at: MonotonicInstant(nanoseconds: nanoseconds))
    }

    private var looks: Int { system.looks.load(ordering: .relaxed) }

    @Test
    func unlimitedMemoryIsLookedUpOnceInAnInterval() {
        let start: UInt64 = 7_000_000_000
        #expect(hasRoom(at: start))
        #expect(hasRoom(at: start + 1))
        #expect(hasRoom(at: start + MemoryCheck.interval - 1))
        #expect(looks == 1)
        #expect(hasRoom(at: start + MemoryCheck.interval))
        #expect(looks == 2)
    }

    @Test
    func laterLimitIsNoticedAfterTheInterval() {
        let start: UInt64 = 7_000_000_000
        #expect(hasRoom(at: start))
        system.isLimited.store(true, ordering: .relaxed)
        system.hasRoom.store(false, ordering: .relaxed)
        #expect(hasRoom(at: start + MemoryCheck.interval - 1))
        #expect(!hasRoom(at: start + MemoryCheck.interval))
    }

    @Test
    func limitedMemoryIsCheckedAtEveryRequest() {
        system.isLimited.store(true, ordering: .relaxed)
        let start: UInt64 = 7_000_000_000
        #expect(hasRoom(at: start))
        system.hasRoom.store(false, ordering: .relaxed)
        #expect(!hasRoom(at: start))
        system.hasRoom.store(true, ordering: .relaxed)
        #expect(hasRoom(at: start + 1))
        #expect(looks == 3)
    }
}
