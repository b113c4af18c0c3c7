import CLifetimeRuntime
import TracerBase

/// The blocks of malloc that hold the tracer's counters, types, contexts, remembered deaths and symbols.
///
/// They must not be taken for the program's. The words in these blocks are not references, but may look like some.
/// Blocks of a thread that has only just started to use the tracer may be missing. The blocks of the symbols are not
/// freed while this value exists.
package struct TracerBlocks: Sendable {
    /// A part of each block.
    package let ranges: [Range<UInt>]
    private let tables: [SymbolTable]

    /// The blocks at this moment.
    package static var current: TracerBlocks {
        let tables = Symboliser.shared.tables
        // Those of another registry have fewer and smaller numbers.
        let deaths = lt_memory_of_deaths(RegistryCore.shared.pointer)
        let ranges =
            listed(by: lt_list_memory) + listed(by: lt_list_types) + listed(by: lt_list_contexts)
            + [deaths.start..<deaths.end] + tables.flatMap(\.memory)
        return TracerBlocks(ranges: ranges, tables: tables)
    }

    private static func listed(by list: (UnsafeMutablePointer<lt_memory>?, Int) -> Int) -> [Range<UInt>] {
        // Has some spare room, because threads may start meanwhile.
        let room = list(nil, 0) + 48
        let pieces = [lt_memory](unsafeUninitializedCapacity: room) { buffer, count in
            count = min(room, list(buffer.baseAddress, room))
        }
        return pieces.map { $0.start..<$0.end }
    }
}
