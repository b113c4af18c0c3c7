#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import ForkTesting
import Foundation
import Glibc
import LifetimeTracer
import Testing

@testable import RetainPaths

/// The traces that searches and their answers leave in used and freed memory.
@Suite(.disabledUnderSanitizers) struct OwnMemoryTests {
    private final class Kept: Traced, @unchecked Sendable {
        // `@unchecked Sendable` is safe because the object never changes.
        let lifetimeToken = LifetimeToken(of: Kept.self)
    }

    @MainActor private static var kept: [Kept] = []

    /// Creates an instance and returns it with its inverted address.
    @MainActor @inline(never)
    private static func plant() -> (InstanceID, UInt64) {
        let made = Kept()
        kept = [made]
        return (made.lifetimeID, Engine.inverted(made))
    }

    // The test runs in its own process, where no other code uses the object.
    @Test func searchesLeaveNoObjectAddressInMallocMemory() async {
        await #expect(processExitsWith: .success) {
            let (id, word) = await Self.plant()
            // The first search compiles layouts and reads symbols.
            var reports = [try await RetainPaths.explain([id], options: Engine.patient)]
            var findings = try await Engine.findings([word])
            let before = try Self.places(of: word)
            demand(before > 0, "the array that holds the object was not seen")
            for _ in 0..<20 {
                reports.append(try await RetainPaths.explain([id], options: Engine.patient))
                findings += try await Engine.findings([word])
            }
            let after = try Self.places(of: word)
            demand(after <= before, "\(after - before) words of the searches have the object's address")
            demand(reports.allSatisfy { $0.explanations[0].status == .reachable }, "it is held")
            demand(findings.allSatisfy { $0.status == .reachable }, "it is held")
        }
    }

    /// The number of words of malloc's arenas, used or free, that contain the address, which is given inverted.
    private static func places(of inverted: UInt64) throws -> Int {
        let size = 1 << 20
        // The buffer is mapped and not malloc's, so that the addresses read into it are not found in malloc's memory.
        guard let buffer = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            buffer != MAP_FAILED
        else { throw CocoaError(.fileReadTooLarge) }
        defer { munmap(buffer, size) }
        let memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC)
        defer { close(memory) }
        var count = 0
        for range in try arenas() {
            for start in stride(from: range.lowerBound, to: range.upperBound, by: size) {
                let wanted = min(size, range.upperBound - start)
                let got = pread(memory, buffer, wanted, start)
                guard got > 0 else { continue }
                let words = UnsafeRawBufferPointer(start: buffer, count: got / 8 * 8).bindMemory(to: UInt64.self)
                count += words.count { ~$0 == inverted }
            }
        }
        return count
    }

    private static func arenas() throws -> [Range<Int>] {
        let arenaSize = 64 << 20
        let lines = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n")
        return lines.compactMap { line in
            let parts = line.split(separator: " ")
            let ends = parts[0].split(separator: "-").compactMap { Int($0, radix: 16) }
            guard parts.count >= 5, ends.count == 2, parts[1].hasPrefix("rw") else { return nil }
            let isFirst = parts.last == "[heap]"
            return isFirst || parts.count == 5 && ends[0].isMultiple(of: arenaSize) ? ends[0]..<ends[1] : nil
        }
    }
}
#endif
