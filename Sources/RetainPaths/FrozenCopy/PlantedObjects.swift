import CRetainPaths
import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Objects whose holders are known, and blocks that are known to be free, for the self-check.
struct PlantedObjects: Sendable {
    private final class Leaf: Sendable {
        let number: Int

        init(number: Int) { self.number = number }
    }

    /// An object that holds a leaf in a property, in an array and in a closure.
    private final class Branch: LockedState {
        let leaf: Leaf
        let leaves: [Leaf]
        let closure: @Sendable () -> Int

        init(number: Int) {
            let leaf = Leaf(number: number)
            self.leaf = leaf
            leaves = [Leaf(number: number + 1), leaf]
            closure = { leaf.number }
        }
    }

    /// An object that holds the next link of a cycle.
    private final class Link: LockedState {
        private let next = Locked<Link?>(nil)

        func hold(_ link: Link?) { next.withLock { $0 = link } }
    }

    /// The static variable that holds the branches while checks run.
    private static let trunk = Locked<[Branch]>([])

    /// A size that programs rarely request, so that a free block stays free for a while.
    ///
    /// It is the full usable size of its chunk.
    static let freeBlockSize = 920
    private static let freeBlockCount = 4

    /// Addresses, inverted.
    private let leaf: UInt64
    private let link: UInt64
    private let freeBlocks: [UInt64]
    /// Releases the planted objects.
    ///
    /// The closure captures them weakly, so it does not keep the cycle.
    let undo: @Sendable () -> Void

    /// Plants the objects, and leaves no other references to them.
    @inline(never)
    init() {
        let branch = Branch(number: 1)
        Self.trunk.withLock { $0.append(branch) }
        leaf = Self.inverted(Unmanaged.passUnretained(branch.leaf).toOpaque())
        let first = Link()
        let second = Link()
        first.hold(second)
        second.hold(first)
        link = Self.inverted(Unmanaged.passUnretained(first).toOpaque())
        undo = { [weak first, weak branch] in
            first?.hold(nil)
            Self.trunk.withLock { branches in branches.removeAll { $0 === branch } }
        }
        let blocks = (0..<Self.freeBlockCount).compactMap { _ in malloc(Self.freeBlockSize) }
        freeBlocks = blocks.filter(Self.isOfArena).map(Self.inverted)
        for block in blocks { free(block) }
    }

    /// The inverted addresses of the planted objects and blocks.
    var targets: [UInt64] { [leaf, link] + freeBlocks }

    /// How an answer differs from the expected one; `nil` if it does not.
    ///
    /// - Parameter answer: An answer whose first findings are those of ``targets``.
    func difference(in answer: HeapAnswer) -> String? {
        guard answer.findings.count >= targets.count else {
            return "only \(answer.findings.count) of \(targets.count) planted blocks were searched for"
        }
        let leaf = answer.findings[0]
        let link = answer.findings[1]
        guard leaf.status != .notFound, link.status != .notFound else { return "a planted object was not found" }
        guard leaf.status == .reachable, leaf.strongCount == 3, leaf.precise == 3, leaf.found == 3 else {
            return "a planted object has \(leaf.precise) certain references and \(leaf.found) in total instead of 3, "
                + "and a reference count of \(leaf.strongCount)"
        }
        let names = Set(leaf.holders.map { $0.names.map(\.text) })
        guard names.contains(["leaf"]), leaf.holders.contains(where: { $0.index == 1 }) else {
            return "the properties that hold a planted object were not found"
        }
        guard link.status == .cycle, link.found == link.strongCount else {
            return "a planted cycle was reported as '\(link.status)'"
        }
        // Meanwhile malloc may have reused the memory for a block of another size. Without a cache for each thread it
        // does so at once.
        let freed = answer.findings[2..<targets.count]
        let isOneFree = freed.contains { $0.status == .notFound }
        let isOneUsed = freed.contains { $0.status != .notFound && $0.size == Self.freeBlockSize }
        if isOneUsed && !isOneFree { return "free blocks were reported as used" }
        return nil
    }

    /// Whether a block comes from an arena rather than from a mapping of its own, whose address is soon reused.
    private static func isOfArena(_ block: UnsafeMutableRawPointer) -> Bool {
        #if os(Linux) && canImport(Glibc)
        // Only mapped blocks are rounded up to whole pages.
        rp_usable_size(block) < freeBlockSize + 64
        #else
        true
        #endif
    }

    // The number is compared with addresses in an answer, and never becomes a pointer again.
    private static func inverted(_ address: UnsafeMutableRawPointer) -> UInt64 {
        ~UInt64(UInt(bitPattern: address))
    }
}
