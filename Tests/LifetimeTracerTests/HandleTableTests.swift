import CLifetimeRuntime
import Testing

/// The handles of objects that have no room for one.
///
/// Only these tests use the table in this process.
@Suite(.serialized) struct HandleTableTests {
    /// What the table contains, by address.
    private static func contents() -> [UInt: UInt64] {
        var found: [UInt: UInt64] = [:]
        withUnsafeMutablePointer(to: &found) { found in
            lt_visit_handles({ $0?.assumingMemoryBound(to: [UInt: UInt64].self).pointee[$1] = $2 }, found)
        }
        return found
    }

    @Test func handlesAreKeptUntilTheirObjectsDie() {
        var random = SystemRandomNumberGenerator()
        // Addresses are multiples of 16, often close to each other.
        let objects = Set((0..<20_000).map { _ in UInt.random(in: 1...200_000, using: &random) * 16 })
        var expected: [UInt: UInt64] = [:]
        for object in objects {
            let handle = UInt64.random(in: 1...UInt64.max, using: &random)
            var isKept = false
            #expect(lt_put_handle(object, handle, &isKept) == 0 && isKept)
            expected[object] = handle
        }
        #expect(Self.contents() == expected)
        for object in objects.prefix(objects.count / 2) {
            #expect(lt_take_handle(object) == expected.removeValue(forKey: object))
            #expect(lt_take_handle(object) == 0, "a handle is taken once")
        }
        #expect(Self.contents() == expected)
        for (object, handle) in expected { #expect(lt_take_handle(object) == handle) }
        #expect(Self.contents().isEmpty)
    }

    @Test func handleOfAnEarlierObjectAtTheSameAddressIsReturned() {
        var isKept = false
        #expect(lt_put_handle(4096, 7, &isKept) == 0)
        #expect(lt_put_handle(4096, 8, &isKept) == 7 && isKept)
        #expect(Self.contents() == [4096: 8])
        #expect(lt_take_handle(4096) == 8)
    }
}
