import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// The trait on a suite, as the suite's tests meet it; each must fail.
@Suite(.repeatedOnRequest, .reports(["Left behind by the test: 2 Pair."]), .leakFree(settling: .zero))
struct LeakingSuite {
    @Test func aLeakFailsATestOfTheSuite() {
        Pair.leak("one")
    }

    @Test(arguments: [1, 2]) func andEachCaseOfOne(_ number: Int) async {
        await Task { Pair.leak("case \(number)") }.value
    }

    @Suite struct Inner {
        @Test func andThoseOfASuiteInIt() {
            Pair.leak("inner")
        }
    }
}

/// Where the trait of a test counts instead; none may fail.
@Suite(.repeatedOnRequest, .leakFree(settling: .zero)) struct LenientTests {
    private let screen = Screen()

    @Test(.leakFree(exempting: [Pair.self], settling: .zero)) func theTraitOfATestCounts() {
        Pair.leak("allowed")
    }

    @Test func whatTheSuiteItselfHoldsGoesWithTheTest() {
        #expect(screen.lifetimeRegistry === LifetimeRegistry.current)
    }
}
