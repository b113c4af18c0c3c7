#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Dispatch
import ForkTesting
import Glibc
import Testing

@testable import RetainPaths

/// An object that waits for a group of its own.
///
/// No other test makes instances of the class.
private final class GroupOwner: @unchecked Sendable {
    // `@unchecked Sendable` is safe because no property changes.
    let group = DispatchGroup()

    /// Makes a cycle: the group keeps the notification, which holds the owner, until a leave that never comes.
    func notifyLater() {
        group.enter()
        group.notify(queue: .global()) { [self] in print(self) }
    }

    /// The address of libdispatch's own object, behind the header of the `DispatchGroup`.
    var addressOfGroup: UInt {
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

    /// Starts work of a group that keeps its owner until the work has ended.
    @inline(never)
    private static func startWork(_ work: @escaping @Sendable () -> Void) {
        let owner = GroupOwner()
        DispatchQueue.global().async(group: owner.group, execute: work)
        owner.group.notify(queue: .global()) { print(owner) }
    }
}
#endif
