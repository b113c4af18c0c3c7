#if os(Linux) && arch(x86_64) && canImport(Glibc)
import LifetimeTracer
import Testing

@testable import RetainPaths

/// Tasks to which nothing refers, but which were retained.
@Suite(.disabledUnderSanitizers) struct EngineEndedTaskTests {
    /// A task that was retained once more than it has references, and a leaf that it holds; both addresses inverted.
    private struct Retained: Sendable {
        let task: UInt64
        let leaf: UInt64

        /// Balances the additional retain.
        func release() {
            guard let address = UnsafeRawPointer(bitPattern: UInt(~task)) else { preconditionFailure("a null word") }
            Unmanaged<AnyObject>.fromOpaque(address).release()
        }
    }

    /// Retains a task, and inverts its address.
    @inline(never)
    private static func retained<Success: Sendable>(_ task: Task<Success, Never>) -> UInt64 {
        // Safe because a task is one word, a reference to an object of the runtime, and `task` keeps that object alive.
        let address = unsafeBitCast(task, to: UInt64.self)
        guard let pointer = UnsafeRawPointer(bitPattern: UInt(address)) else { preconditionFailure("a null word") }
        // Balanced in `Retained.release`.
        _ = Unmanaged<AnyObject>.fromOpaque(pointer).retain()
        return ~address
    }

    @inline(never)
    private static func endedTask() async -> Retained {
        let task = Task.detached { EngineLeaf() }
        return Retained(task: retained(task), leaf: Engine.inverted(await task.value))
    }

    /// Makes a task that awaits a continuation to which nothing refers, and passes the continuation's inverted word on.
    @inline(never)
    private static func waitingTask(_ inverted: AsyncStream<UInt64>.Continuation) -> Retained {
        let leaf = EngineLeaf()
        let address = Engine.inverted(leaf)
        let task = Task.detached {
            await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
                // Safe because an unsafe continuation is one word, which the test turns back and resumes exactly once.
                inverted.yield(~unsafeBitCast(continuation, to: UInt64.self))
            }
            leaf.identifier = nil
        }
        return Retained(task: retained(task), leaf: address)
    }

    @Test func anEndedTaskDoesNotKeepItself() async throws {
        // In a task of its own, whose memory is freed: the memory of the test's own task keeps stale words.
        let retained = await Task.detached { await Self.endedTask() }.value
        let finding = try #require(try await Engine.findings([retained.leaf]).first)
        // A stale word elsewhere may refer to the task, and hide that nothing holds it.
        #expect(finding.status != .reachable || finding.steps.first?.node != .task)
        retained.release()
    }

    @Test func aTaskThatWaitsKeepsItself() async throws {
        let (words, word) = AsyncStream.makeStream(of: UInt64.self)
        let retained = Self.waitingTask(word)
        var iterator = words.makeAsyncIterator()
        let inverted = try #require(await iterator.next())
        let finding = try #require(try await Engine.findings([retained.leaf]).first)
        #expect(finding.status == .reachable)
        #expect(finding.steps.contains { $0.node == .task })
        // Safe because these are the bits of the continuation that the task still awaits.
        unsafeBitCast(~inverted, to: UnsafeContinuation<Void, Never>.self).resume()
        retained.release()
    }
}
#endif
