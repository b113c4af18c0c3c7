#if os(Linux) && arch(x86_64) && canImport(Glibc)
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// Objects that a leaked cycle holds only by way of uncertain words, if at all.
@Suite(.disabledUnderSanitizers) struct EngineUncertainSourceTests {
    /// An object that can keep itself, and that leads to memory without a layout.
    private final class Keeper {
        var itself: Keeper?
        var memory: UnsafeMutableRawPointer?
    }

    /// A leaked keeper, and a leaf at the end of a chain of raw blocks behind the keeper.
    private struct Chain {
        let keeper: UInt64
        let leaf: UInt64
        private let blocks: [UInt64]
        private let retains: Int

        /// - Parameters:
        ///   - count: The number of blocks of the chain.
        ///   - retains: The number of times that the leaf is retained.
        ///   - strays: The number of blocks to which nothing refers, and which refer to the leaf.
        init(blocks count: Int, retains: Int, strays: Int = 0) {
            let keeper = Keeper()
            keeper.itself = keeper
            let leaf = EngineLeaf()
            // Balanced in `free`.
            for _ in 0..<retains { _ = Unmanaged.passRetained(leaf) }
            // Safe without another retain: those above keep the leaf alive until `free`.
            var next = Unmanaged.passUnretained(leaf).toOpaque()
            var blocks = (0..<strays).map { _ in ~UInt64(UInt(bitPattern: Self.block(referringTo: next))) }
            for _ in 0..<count {
                next = Self.block(referringTo: next)
                blocks.append(~UInt64(UInt(bitPattern: next)))
            }
            keeper.memory = next
            self.keeper = Engine.inverted(keeper)
            self.leaf = Engine.inverted(leaf)
            self.blocks = blocks
            self.retains = retains
        }

        /// Memory without a layout, with one word that refers to other memory.
        private static func block(referringTo pointer: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
            guard let block = calloc(12, MemoryLayout<UInt>.stride) else { preconditionFailure("no memory") }
            block.storeBytes(of: UInt(bitPattern: pointer), toByteOffset: 40, as: UInt.self)
            return block
        }

        /// Whether the path leads through the keeper.
        ///
        /// The memory of the test's own task may refer to the leaf as well, and is no cycle of the keeper's.
        func isHeld(by finding: HeapAnswer.Finding) -> Bool {
            finding.steps.contains { UInt64($0.address) == ~keeper }
        }

        func free() {
            let keeper: Unmanaged<Keeper> = Self.object(self.keeper)
            keeper.takeUnretainedValue().itself = nil
            for block in blocks { Glibc.free(UnsafeMutableRawPointer(bitPattern: UInt(~block))) }
            let leaf: Unmanaged<EngineLeaf> = Self.object(self.leaf)
            for _ in 0..<retains { leaf.release() }
        }

        /// The object with an inverted address; it must be alive.
        private static func object<Object>(_ word: UInt64) -> Unmanaged<Object> {
            guard let pointer = UnsafeRawPointer(bitPattern: UInt(~word)) else { preconditionFailure("a null word") }
            return Unmanaged.fromOpaque(pointer)
        }
    }

    private static let chainCount = 12
    /// The number of chains without a stale word that refers to their objects, at least.
    private static let fewest = 4

    /// Only words of unknown memory refer to the leaves, so a stale word elsewhere may hide one of the leaks.
    @Test func memoryOfALeakedObjectLeaksWhatItRefersTo() async throws {
        let chains = (0..<Self.chainCount).map { _ in Chain(blocks: 3, retains: 1) }
        let findings = try await Engine.findings(chains.map(\.leaf))
        let leaked = findings.filter { $0.status == .leakedByCycle }
        #expect(leaked.count >= Self.fewest, "\(findings.map(\.status)) \(findings.map { $0.steps.first?.node })")
        for finding in leaked {
            let uncertain = finding.steps.filter { $0.edge != nil && !$0.isPrecise }
            #expect(!uncertain.isEmpty, "the words in memory are not certain")
        }
        for chain in chains { chain.free() }
    }

    /// One uncertain word explains one of two references, so it may be stale.
    ///
    /// A word in a block to which nothing refers is stale, and explains nothing. A stale word elsewhere may explain the
    /// other reference of one of the leaves, which then proves nothing.
    @Test(arguments: [0, 1]) func unexplainedObjectIsPreferredToACycleBehindAnUncertainWord(strays: Int) async throws {
        let chains = (0..<Self.chainCount).map { _ in Chain(blocks: 1, retains: 2, strays: strays) }
        let findings = try await Engine.findings(chains.map(\.leaf))
        let judged = zip(chains, findings).filter { $0.1.found == 1 }
        #expect(judged.count >= Self.fewest, "\(findings.map(\.found))")
        for (chain, finding) in judged {
            #expect(finding.strongCount == 2)
            #expect(!chain.isHeld(by: finding), "\(finding)")
        }
        for chain in chains { chain.free() }
    }

    @Test func cycleBehindManyUncertainWordsIsNotBelieved() async throws {
        let chain = Chain(blocks: 12, retains: 1)
        let finding = try #require(try await Engine.findings([chain.leaf]).first)
        #expect(!chain.isHeld(by: finding), "\(finding)")
        chain.free()
    }
}
#endif
