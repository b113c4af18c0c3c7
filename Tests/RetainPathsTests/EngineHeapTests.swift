#if os(Linux) && arch(x86_64) && canImport(Glibc)
import ForkTesting
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The search finds malloc's blocks and does not trust their contents.
@Suite(.disabledUnderSanitizers) struct EngineHeapTests {
    // The test runs in its own process, because in a shared process other tests could be given the free blocks.
    @Test func blocksInUseAreFoundWithTheirSizesAndFreeOnesAreNot() async {
        await #expect(processExitsWith: .success) {
            // Sizes around malloc's thresholds, and sizes above DEFAULT_MMAP_THRESHOLD_MAX, which malloc always maps.
            let usual = [1, 16, 24, 25, 40, 120, 129, 1_000, 1_032, 1_033, 5_000, 131_000, 140_000, 400_000]
            let sizes = (0..<40).flatMap { _ in usual } + [Int](repeating: 34 << 20, count: 6)
            let count = sizes.count
            // The first search compiles layouts, so that the second search needs no new memory for them.
            _ = try await Engine.findings([0])
            // The addresses are inverted, so that nothing holds the blocks.
            let blocks = sizes.map { ~UInt64(UInt(bitPattern: malloc($0))) }
            // The large blocks are freed first: freeing a large block makes malloc merge the small free blocks.
            for isSmall in [false, true] {
                for (index, block) in blocks.enumerated()
                where index % 3 == 0 && (sizes[index] < 1_000) == isSmall {
                    free(Self.pointer(block))
                }
            }
            let findings = try await Engine.findings(blocks)
            demand(findings.count == count)
            var stillThere = 0
            for (index, finding) in findings.enumerated() {
                let size = sizes[index]
                if index % 3 == 0 {
                    if finding.status != .notFound { stillThere += 1 }
                } else {
                    demand(finding.status != .notFound, "a block of \(size) bytes was not found")
                    // malloc may add a remainder that is too small for another block, and it maps whole pages.
                    demand(
                        finding.size >= size && finding.size <= size + (size < 100_000 ? 40 : 4_200),
                        "a block of \(size) bytes was told as one of \(finding.size)")
                }
            }
            // The search itself may have allocated some of the free blocks.
            demand(stillThere <= count / 60, "\(stillThere) free blocks of \(count / 3) were told")
        }
    }

    @Test func blocksOfOtherThreadsAreFound() async throws {
        let blocks = Locked<[UInt64]>([])
        for _ in 0..<12 {
            // Each thread gets its own arena, up to malloc's limit of arenas.
            await withCheckedContinuation { continuation in
                detachThread {
                    // The blocks are zeroed: blocks from the cache of an ended thread would still contain malloc's mark
                    // of free blocks.
                    let made = (0..<200).map { ~UInt64(UInt(bitPattern: calloc(1, 24 + $0 * 16))) }
                    blocks.withLock { $0 += made }
                    continuation.resume()
                }
            }
        }
        let planted = blocks.withLock { $0 }
        let findings = try await Engine.findings(planted)
        #expect(findings.filter { $0.status == .notFound }.isEmpty)
        for block in planted { free(Self.pointer(block)) }
    }

    @Test func pathIsFoundAmidRandomWordsAndMetadata() async throws {
        let targets: [UInt64] = {
            let trunk = Engine.plant("random")
            let leaf = EngineLeaf()
            trunk.next = EngineLeaf()
            trunk.next?.payload = .pair(leaf, name: "random")
            return [Engine.inverted(leaf)]
        }()
        let metadata: [UInt] = [
            address(of: EngineLeaf.self), address(of: [EngineLeaf].self), address(of: (any Error).self),
            address(of: EnginePayload.self), address(of: Int.self), address(of: Task<Void, Never>.self),
            address(of: [String: EngineLeaf].self),
        ]
        var random = SystemRandomNumberGenerator()
        let blocks = (0..<200_000).map { _ in
            let words = Int.random(in: 2...24, using: &random)
            let block = UnsafeMutablePointer<UInt>.allocate(capacity: words)
            for index in 0..<words {
                let choice = UInt8.random(in: 0...9, using: &random)
                let nearby = UInt(bitPattern: block) &+ UInt.random(in: 0...1 << 20, using: &random)
                block[index] =
                    switch choice {
                    // The block begins like an object with a reference count of one.
                    case 0...3 where index == 0: metadata.randomElement(using: &random) ?? 0
                    case 0...5 where index == 1: 3
                    case 0...2: metadata.randomElement(using: &random) ?? 0
                    case 3...4: nearby & ~15
                    case 5: UInt.random(in: 0...64, using: &random)
                    case 6: nearby
                    default: UInt.random(in: 0 ... .max, using: &random)
                    }
            }
            return block
        }
        let finding = try #require(try await Engine.findings(targets).first)
        #expect(finding.status == .reachable)
        #expect(finding.steps.contains { $0.names.last?.text == "next" })
        for block in blocks { block.deallocate() }
        Engine.uproot("random")
    }

    private func address(of type: Any.Type) -> UInt {
        UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
    }

    private static func pointer(_ inverted: UInt64) -> UnsafeMutableRawPointer? {
        UnsafeMutableRawPointer(bitPattern: UInt(~inverted))
    }

    /// Runs a body on a new thread.
    private func detachThread(_ body: @escaping @Sendable () -> Void) {
        final class Box: Sendable {
            let body: @Sendable () -> Void
            init(_ body: @escaping @Sendable () -> Void) { self.body = body }
        }
        var thread = pthread_t()
        // Retained for the thread, which releases it.
        let box = Unmanaged.passRetained(Box(body))
        let failure = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
                return nil
            }, box.toOpaque())
        demand(failure == 0, "pthread_create: error \(failure)")
        pthread_detach(thread)
    }
}
#endif
