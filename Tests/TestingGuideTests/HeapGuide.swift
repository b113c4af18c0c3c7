import KitTesting
import LifetimeTracerTestKit
import RetainPaths
import Testing

/// The guide's leak of a class that nobody traces.
@Suite(
    .enabled("the heap cannot be searched") { await RetainPaths.availability() == .available },
    .reports(["1 cycle of PageCache", "Expected: the block leaves no objects that only hold each other."]))
struct HeapGuide {
    @Test func aCacheKeepsItself() async {
        // guide: heap
        await assertNoLeaks {
            let cache = PageCache()
            cache.onEviction = { cache.clear() }
        }
        // guide: end
    }
}

/// A class that nobody traces.
private final class PageCache {
    var onEviction: (() -> Void)?

    func clear() {}
}
