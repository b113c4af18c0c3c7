import CForkBarrier
import Dispatch
import ForkTesting
import Testing

@testable import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The list of the fork children of a process.
@Suite struct ForkChildrenTests {
    @Test func childAndItsOwnChildAreListedUntilTheyEnd() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 60)
            #expect(ForkChildren.running().isEmpty)
            var ends: [Int32] = [0, 0]
            #expect(pipe(&ends) == 0)
            let (reading, writing) = (ends[0], ends[1])
            DispatchQueue.global().async {
                // No event tells that a child has entered the list, which is in memory.
                while Set(ForkChildren.running()).count < 2 { usleep(1000) }
                _ = write(writing, "x", 1)
            }
            let end = ChildProcess.run {
                let inner = ChildProcess.run {
                    var byte: UInt8 = 0
                    return read(reading, &byte, 1) == 1 ? 0 : 1
                }
                return inner == .code(0) ? 0 : 2
            }
            #expect(end == .code(0))
            #expect(ForkChildren.running().isEmpty)
        }
    }

    @Test func forkChildListsNoChildren() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 60)
            #expect(ChildProcess.run { ForkChildren.running().isEmpty ? 0 : 1 } == .code(0))
        }
    }

    /// The list has room for a limited number, until a look at it frees the places of children that have ended.
    @Test func childrenThatHaveEndedAreForgotten() async {
        await #expect(processExitsWith: .success) {
            endThisProcess(after: 120)
            for _ in 0..<(Int(LT_FORK_CHILDREN) + 10) { #expect(ChildProcess.run { 0 } == .code(0)) }
            #expect((0..<LT_FORK_CHILDREN).allSatisfy { lt_fork_child($0) != 0 })
            #expect(ForkChildren.running().isEmpty)
            #expect((0..<LT_FORK_CHILDREN).allSatisfy { lt_fork_child($0) == 0 })
        }
    }
}
