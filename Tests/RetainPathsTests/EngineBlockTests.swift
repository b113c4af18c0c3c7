#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Dispatch
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// C blocks, into which Dispatch's functions wrap Swift's closures.
@Suite(.disabledUnderSanitizers) struct EngineBlockTests {
    /// Memory of C code that a variable of the program refers to: blocks each of which refers to the next.
    private final class Memory: @unchecked Sendable, LockedState {
        // `@unchecked Sendable` is safe because nothing changes the object after the initializer.
        let start: UnsafeMutableRawPointer
        private let length: Int
        private static let offset = 40

        /// Allocates the blocks, of which the last contains the word.
        init(word: UInt64, length: Int = 1) {
            var content = ~word
            for _ in 0..<length {
                guard let block = calloc(12, MemoryLayout<UInt>.stride) else { preconditionFailure("no memory") }
                block.storeBytes(of: content, toByteOffset: Self.offset, as: UInt64.self)
                content = UInt64(UInt(bitPattern: block))
            }
            guard let start = UnsafeMutableRawPointer(bitPattern: UInt(content)) else {
                preconditionFailure("no block")
            }
            self.start = start
            self.length = length
        }

        deinit {
            var block = start
            for _ in 1..<length {
                // Safe because each block except the last contains the address of the next one, which `init` allocated.
                let next = block.load(fromByteOffset: Self.offset, as: UnsafeMutableRawPointer.self)
                free(block)
                block = next
            }
            free(block)
        }
    }

    private static let memory = Locked<Memory?>(nil)

    /// Makes a leaf that holds itself by a work item that no queue has, and returns the inverted addresses of the leaf
    /// and of the item's block.
    @inline(never)
    private static func leak() -> (leaf: UInt64, block: UInt64) {
        let leaf = EngineLeaf()
        let item = DispatchWorkItem { leaf.identifier = nil }
        leaf.anything["item"] = item
        // DispatchWorkItem has one property, the block, behind the object's header of 16 bytes. The unretained pointer
        // is safe because `leaf` keeps the item alive while its memory is read.
        let object = Unmanaged.passUnretained(item).toOpaque()
        return (Engine.inverted(leaf), ~object.load(fromByteOffset: 16, as: UInt64.self))
    }

    @inline(never)
    private static func endLeak(_ inverted: UInt64) {
        guard let address = UnsafeRawPointer(bitPattern: UInt(~inverted)) else { preconditionFailure("a null word") }
        // The leaf lives until this assignment, because it holds itself.
        Unmanaged<EngineLeaf>.fromOpaque(address).takeUnretainedValue().anything = [:]
    }

    @Test func aWorkItemHoldsItsClosureForCertain() async throws {
        let (leaf, _) = Self.leak()
        let finding = try #require(try await Engine.findings([leaf]).first)
        #expect(finding.status == .cycle)
        #expect(finding.steps.contains { $0.node == .block })
        let uncertain = finding.steps.filter { !$0.isPrecise }
        #expect(uncertain.isEmpty)
        Self.endLeak(leaf)
    }

    /// The block's own count says that the work item is its only holder, so the word is stale.
    @Test func aWordOfUnknownMemoryIsNoHolderOfABlockWhoseHoldersAreKnown() async throws {
        let (leaf, block) = Self.leak()
        Self.memory.withLock { $0 = Memory(word: block) }
        let finding = try #require(try await Engine.findings([leaf]).first)
        #expect(finding.status == .cycle)
        #expect(!finding.steps.contains { $0.node == .rootData })
        Self.memory.removeAndRelease { $0.take() }
        Self.endLeak(leaf)
    }

    /// A leaf that a running block holds, and that a word of mapped memory refers to.
    private struct RunningLeaf {
        let leaf: UInt64
        let page: UnsafeMutableRawPointer
        let released = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)

        @inline(never)
        init() {
            let leaf = EngineLeaf()
            // Safe because `end` balances it. A second reference makes it possible that the mapped memory holds the
            // leaf.
            _ = Unmanaged.passRetained(leaf)
            guard let page = mmap(nil, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
                page != MAP_FAILED
            else { preconditionFailure("no memory") }
            self.page = page
            self.leaf = Engine.inverted(leaf)
            page.storeBytes(of: ~self.leaf, toByteOffset: 128, as: UInt64.self)
            let started = DispatchSemaphore(value: 0)
            DispatchQueue(label: "running-block").async { [released, ended] in
                started.signal()
                released.wait()
                leaf.identifier = nil
                ended.signal()
            }
            started.wait()
        }

        func end() {
            munmap(page, 4096)
            released.signal()
            ended.wait()
            guard let address = UnsafeRawPointer(bitPattern: UInt(~leaf)) else { preconditionFailure("a null word") }
            Unmanaged<EngineLeaf>.fromOpaque(address).release()
        }
    }

    @Test func theStackOfTheThreadThatRunsABlockHoldsItsClosure() async throws {
        let running = RunningLeaf()
        let finding = try #require(try await Engine.findings([running.leaf]).first)
        #expect(finding.status == .reachable)
        let root = try #require(finding.steps.first)
        guard case .rootStack = root.node else {
            Issue.record("the root is \(root.node): \(finding.steps)")
            return running.end()
        }
        #expect(finding.steps.contains { $0.node == .closure })
        running.end()
    }

    // Each word of the long path may be stale. Both words of the running block are on the stack.
    @Test func aRunningBlockIsPreferredToALongUncertainPath() async throws {
        let running = RunningLeaf()
        Self.memory.withLock { $0 = Memory(word: running.leaf, length: 20) }
        let finding = try #require(try await Engine.findings([running.leaf]).first)
        #expect(finding.steps.contains { $0.node == .closure }, "\(finding.steps)")
        Self.memory.removeAndRelease { $0.take() }
        running.end()
    }

    // C code may know the object without holding it, but the closure of the block holds it.
    @Test func aRunningBlockIsPreferredToMemoryOfC() async throws {
        let running = RunningLeaf()
        Self.memory.withLock { $0 = Memory(word: running.leaf) }
        let finding = try #require(try await Engine.findings([running.leaf]).first)
        #expect(finding.steps.contains { $0.node == .closure }, "\(finding.steps)")
        Self.memory.removeAndRelease { $0.take() }
        running.end()
    }

    @Test func aVariableOfTheProgramIsPreferredToARunningBlock() async throws {
        let running = RunningLeaf()
        let address = try #require(UnsafeRawPointer(bitPattern: UInt(~running.leaf)))
        // Safe: the block that is called holds the leaf until `end`.
        let leaf = Unmanaged<EngineLeaf>.fromOpaque(address).takeUnretainedValue()
        Engine.garden.withLock { $0["running"] = leaf }
        let finding = try #require(try await Engine.findings([running.leaf]).first)
        #expect(finding.steps.contains { $0.node == .rootData }, "\(finding.steps)")
        Engine.uproot("running")
        running.end()
    }
}
#endif
