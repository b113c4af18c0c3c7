import CLifetimeRuntime
import Testing

@testable import LifetimeTracer

private final class Handled {}

/// Words that may be handles: objects without a trailer show the hooks other words in its place.
///
/// One test at a time, because the record of an instance that another test keeps alive can be where a changed handle
/// leads.
@Suite(.serialized) struct HandleTests {
    private let store = LifetimeRegistry.shared.store

    private func withHandle(_ body: (lt_handle) -> Void) -> lt_handle {
        let handle = store.recordBirth(of: Handled.self, at: SiteKey(file: "a", line: 1))
        body(handle)
        store.recordDeath(handle)
        return handle
    }

    @Test func handleIsOneUntilTheDeath() {
        let handle = withHandle { #expect(lt_is_handle($0)) }
        #expect(!lt_is_handle(handle))
    }

    @Test func handleWithAnotherBitIsNone() {
        _ = withHandle { handle in
            for bit in 0..<UInt64.bitWidth { #expect(!lt_is_handle(handle ^ 1 << bit), "bit \(bit)") }
        }
    }

    @Test func randomWordsAreNoHandles() {
        var word: UInt64 = 1
        var taken: [UInt64] = []
        _ = withHandle { _ in
            for _ in 0..<1_000_000 {
                // A linear congruential generator (Knuth, The Art of Computer Programming 2, 3.3.4); its upper bits are
                // better than its lower ones.
                word = word &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                if lt_is_handle(word.byteSwapped) { taken.append(word) }
            }
        }
        #expect(taken.isEmpty)
    }

    @Test func trailerOfAnotherObjectIsNone() {
        _ = withHandle { handle in
            let object: UInt = 0x7F00_1234_5670
            let trailer = lt_make_trailer(object, handle)
            #expect(lt_is_handle(lt_handle_in(trailer, object)))
            for distance in 1..<10_000 {
                #expect(!lt_is_handle(lt_handle_in(trailer, object + UInt(distance) * 16)))
            }
        }
    }

    /// An unlisted instance has its id in its handle.
    @Test func idsThatWereGivenMakeHandlesOfUnlistedInstances() {
        _ = withHandle { handle in
            let type = handle & UInt64((1 << LT_TYPE_BITS) - 1)
            let last = lt_last_id(lt_shared_core())
            let unlisted = type | 1 << UInt64(LT_TYPE_BITS)
            #expect(lt_is_handle(unlisted | last << UInt64(LT_PAYLOAD_SHIFT)))
            #expect(!lt_is_handle(unlisted | (last + 1_000_000_000) << UInt64(LT_PAYLOAD_SHIFT)))
        }
    }

    @Test func numbersThatWereGivenMakeHandlesOfUntracedInstances() {
        let handle = lt_untraced_birth()
        #expect(lt_is_handle(handle))
        let unused = lt_untraced_end() + 1_000_000_000
        #expect(!lt_is_handle(1 << UInt64(LT_TYPE_BITS) | unused << UInt64(LT_PAYLOAD_SHIFT)))
    }
}
