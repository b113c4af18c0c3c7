import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing

/// The trait on a suite, applied to the suite's tests; each of them must fail.
@Suite(.repeatedOnRequest, .reports(["Left behind by the test: 2 Pair."]), .leakFree(settling: .zero))
struct LeakingSuite {
    @Test func aLeakFailsATestOfTheSuite() {
        Pair.leak("one")
    }

    @Test(arguments: [1, 2]) func leakFailsEachCaseOfAParameterizedTest(_ number: Int) async {
        await Task { Pair.leak("case \(number)") }.value
    }

    @Suite struct Inner {
        @Test func leakFailsATestOfANestedSuite() {
            Pair.leak("inner")
        }
    }
}

/// The trait of a test overrides the trait of its suite; none of these tests may fail.
@Suite(.repeatedOnRequest, .leakFree(settling: .zero)) struct LenientTests {
    private let screen = Screen()

    @Test(.leakFree(exempting: [Pair.self], settling: .zero)) func traitOfATestOverridesTheTraitOfItsSuite() {
        Pair.leak("allowed")
    }

    @Test func propertyOfTheSuiteBelongsToTheTestsRegistry() {
        #expect(screen.lifetimeRegistry === LifetimeRegistry.current)
    }
}
