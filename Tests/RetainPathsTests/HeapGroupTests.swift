#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Dispatch
import ForkTesting
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// An object that waits for a group of its own.
///
/// No other test makes instances of the class.
///
/// `@unchecked Sendable` is safe because the only property never changes, and a group may be used on all threads.
private final class GroupOwner: @unchecked Sendable {
    let group = DispatchGroup()

    /// Makes a cycle: the group keeps the notification, which holds the owner, until a leave that never comes.
    func notifyLater() {
        group.enter()
        group.notify(queue: .global()) { [self] in print(self) }
    }

    /// The address of libdispatch's own object, behind the header of the `DispatchGroup`.
    var addressOfGroup: UInt {
        // Safe: `self` holds the group, whose only property is one word. The address is used as a number only.
        Unmanaged.passUnretained(group).toOpaque().load(fromByteOffset: 16, as: UInt.self)
    }
}

/// Leaks through the groups of libdispatch, of which stacks may have stale addresses.
@Suite(.disabledUnderSanitizers) struct HeapGroupTests {
    /// Leaks an owner; returns the inverted address of its group.
    @inline(never)
    private static func leakOwner() -> UInt {
        let owner = GroupOwner()
        owner.notifyLater()
        return ~owner.addressOfGroup
    }

    private static func leakedOwners() async throws -> Int {
        let graph = try await HeapGraph.capture(options: Engine.patient)
        demand(graph.leaks.obstacle == nil, "\(graph.leaks)")
        return graph.leaks.all.filter { $0.name == "GroupOwner" }.reduce(0) { $0 + $1.count }
    }

    @Test func staleAddressOfAGroupOnAStackHidesNoLeak() async {
        await #expect(processExitsWith: .success) {
            let (isThere, mayLeave) = (PipeEnds(), PipeEnds())
            let waiting = SimpleThread {
                let hidden = Self.leakOwner()
                withUnsafeTemporaryAllocation(of: UInt.self, capacity: 1) { word in
                    word[0] = ~hidden
                    isThere.write()
                    _ = mayLeave.read()
                    demand(word[0] == ~hidden)
                }
            }
            demand(isThere.read() == 1)
            let leaked = try await Self.leakedOwners()
            demand(leaked == 1, "\(leaked)")
            mayLeave.write()
            waiting.join()
        }
    }

    /// Such an address is left from a larger block that was at the same place before.
    @Test func addressInsideAGroupHidesNoLeak() async {
        await #expect(processExitsWith: .success) {
            let memory = UnsafeMutablePointer<UInt>.allocate(capacity: 1)
            memory.initialize(to: 0)
            let hidden = Self.leakOwner()
            for offset: UInt in [8, 16, 64] {
                memory.pointee = ~hidden + offset
                let leaked = try await Self.leakedOwners()
                demand(leaked == 1, "\(offset): \(leaked)")
            }
            memory.pointee = 0
            memory.deallocate()
        }
    }

    /// malloc's block for the label of a queue may be larger than the label needs.
    @Test func staleWordBehindTheLabelOfAQueueHidesNoLeak() async {
        await #expect(processExitsWith: .success) {
            let queue = DispatchQueue(label: "a queue")
            // Safe: `queue` is in use until the end. libdispatch's own object is behind its header, and has the address
            // of the label at this offset. A block for 24 bytes may have 56.
            let label =
                Unmanaged.passUnretained(queue).toOpaque()
                .load(fromByteOffset: 16, as: UnsafeMutableRawPointer.self) + 72
            let former = label.load(as: UnsafeMutableRawPointer.self)
            demand(String(cString: former.assumingMemoryBound(to: CChar.self)) == "a queue")
            let block = UnsafeMutableRawPointer.allocate(byteCount: 56, alignment: 8)
            block.initializeMemory(as: UInt8.self, repeating: 0, count: 56)
            strcpy(block.assumingMemoryBound(to: CChar.self), "another queue")
            let place = UInt(bitPattern: block + 40)
            // The stack of this thread would refer to the group.
            SimpleThread {
                // Safe: the thread is joined before the block is freed.
                UnsafeMutablePointer<UInt>(bitPattern: place)?.pointee = ~Self.leakOwner()
            }.join()
            label.storeBytes(of: block, as: UnsafeMutableRawPointer.self)
            let leaked = try await Self.leakedOwners()
            demand(leaked == 1, "\(leaked)")
            label.storeBytes(of: former, as: UnsafeMutableRawPointer.self)
            block.deallocate()
            withExtendedLifetime(queue) {}
        }
    }

    @Test func ownerOfAGroupWhoseWorkRunsIsNoLeak() async {
        await #expect(processExitsWith: .success) {
            let (isThere, mayLeave) = (PipeEnds(), PipeEnds())
            Self.startWork {
                isThere.write()
                _ = mayLeave.read()
            }
            demand(isThere.read() == 1)
            // The work that is running leaves the group, which then notifies the owner.
            let leaked = try await Self.leakedOwners()
            demand(leaked == 0, "\(leaked)")
            mayLeave.write()
        }
    }

    @Test func ownersOfGroupsAtWorkAreNoLeaks() async {
        await #expect(processExitsWith: .success) {
            let isOver = Locked(false)
            let threads = (0..<3).map { number in
                SimpleThread {
                    while !isOver.withLock({ $0 }) { Self.work(inTurn: number) }
                }
            }
            for _ in 0..<20 {
                let leaked = try await Self.leakedOwners()
                demand(leaked == 0, "\(leaked)")
            }
            isOver.withLock { $0 = true }
            for thread in threads { thread.join() }
        }
    }

    /// Waits for the work of a group, or lets a notification keep the group's owner, or leaves the group later.
    ///
    /// The pauses let captures meet the work at any moment; no expectation depends on them.
    @inline(never)
    private static func work(inTurn number: Int) {
        let owner = GroupOwner()
        switch number {
        case 0:
            DispatchQueue.global().async(group: owner.group) { usleep(200) }
            owner.group.notify(queue: .global()) { withExtendedLifetime(owner) {} }
            owner.group.wait()
        case 1:
            owner.group.enter()
            owner.group.notify(queue: .global()) { withExtendedLifetime(owner) {} }
            DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(300)) { [group = owner.group] in
                group.leave()
            }
        default:
            startWork { usleep(300) }
        }
        usleep(500)
    }

    /// Starts work of a group that keeps its owner until the work has ended.
    @inline(never)
    private static func startWork(_ work: @escaping @Sendable () -> Void) {
        let owner = GroupOwner()
        DispatchQueue.global().async(group: owner.group, execute: work)
        owner.group.notify(queue: .global()) { withExtendedLifetime(owner) {} }
    }
}
#endif
