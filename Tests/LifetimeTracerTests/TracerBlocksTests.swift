import CLifetimeRuntime
import Testing

@testable import LifetimeTracer

/// Contexts name registries that were released and whose memory may have been reused.
@Suite struct TracerBlocksTests {
    @Test func blocksContainContexts() {
        let registry = LifetimeRegistry(clock: ManualClock())
        registry.withCurrent {
            let traced = TracedObject()
            withExtendedLifetime(traced) {
                let context = UInt(bitPattern: lt_context_at(0))
                #expect(TracerBlocks.current.ranges.contains { $0.contains(context) })
            }
        }
    }

    @Test func blocksContainTypes() {
        let last = UInt32(1 << LT_TYPE_BITS) - 1
        #expect(lt_make_room_for_type(last))
        let count = lt_list_types(nil, 0)
        #expect(count >= 1)
        var pieces = [lt_memory](repeating: lt_memory(), count: count)
        #expect(lt_list_types(&pieces, count) >= count)
        for piece in pieces { #expect(TracerBlocks.current.ranges.contains(piece.start..<piece.end)) }
    }

    /// A word that merely looks like a handle may name any type.
    @Test func typeThatDoesNotExistHasNoRegistry() {
        for index in stride(from: UInt32(1 << LT_TYPE_BITS) - 5000, through: UInt32(1 << LT_TYPE_BITS) - 1, by: 1) {
            #expect(lt_type_at(index).registry == nil)
        }
    }

    @Test func blocksContainDeaths() {
        let ring = UInt(bitPattern: LifetimeRegistry.shared.store.core.pointer.pointee.deaths)
        #expect(TracerBlocks.current.ranges.contains { $0.lowerBound == ring && $0.count > 4096 * 32 })
    }

    #if os(Linux) && _pointerBitWidth(_64)
    @Test func blocksContainSymbols() throws {
        _ = Symboliser.shared.symbol(at: UInt(bitPattern: #dsohandle))
        let table = try #require(Symboliser.shared.tables.max { $0.count < $1.count })
        #expect(table.memory.count == 2)
        let blocks = TracerBlocks.current
        for memory in table.memory { #expect(blocks.ranges.contains(memory)) }
        #expect(table.memory.reduce(0) { $0 + $1.count } == table.bytes)
    }
    #endif
}
