import Screens
import Testing

/// Contains no code of the test kit, and passes: the leak is found if `LIFETIME_TRACER_LEAKS_AT_EXIT` is set.
@Suite struct PageTests {
    @Test func aPageTurns() {
        #expect(Page.turned().number == 2)
    }

    @Test func aLoosePageTurns() {
        #expect(LoosePage.turned().number == 2)
    }
}
