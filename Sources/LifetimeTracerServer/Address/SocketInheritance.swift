import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Sees to it that a child of `fork` does not keep a socket open on which its parent listens.
///
/// Otherwise clients could still connect when the parent has long stopped, and wait for an answer for ever.
struct SocketInheritance: Sendable {
    private struct Entry: Equatable, Sendable {
        let descriptor: Int32
        let file: FileIdentity
    }

    private static let entries = Locked<[Entry]>([])
    /// Made once, at the first server.
    private static let hook: Void = ForkHook(giveBackInChild: { closeAll() }).install()

    private let own: [Entry]

    /// Has the descriptors closed in each child that is forked until ``end()``; the parent's stay open.
    init(of descriptors: [Int32]) {
        _ = Self.hook
        own = descriptors.compactMap { descriptor in
            FileIdentity(of: descriptor).map { Entry(descriptor: descriptor, file: $0) }
        }
        Self.entries.withLock { $0 += own }
    }

    /// To be called when the descriptors are closed, and not before: a child forked meanwhile would keep them.
    func end() {
        Self.entries.withLock { entries in entries.removeAll { own.contains($0) } }
    }

    private static func closeAll() {
        entries.withLock { entries in
            // The number may have been closed in the parent just before, and be another file.
            for entry in entries where FileIdentity(of: entry.descriptor) == entry.file { close(entry.descriptor) }
            // Keeps the memory: nothing is to be asked of the system's allocator here.
            entries.removeAll(keepingCapacity: true)
        }
    }
}
