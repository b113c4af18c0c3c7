// guide: suite
import LifetimeTracerTestKit
import Testing

@Suite(.leakFree) struct LoginTests {
    @Test func theFlowEnds() {
        let flow = LoginFlow()
        flow.end()
    }
}
// guide: end
