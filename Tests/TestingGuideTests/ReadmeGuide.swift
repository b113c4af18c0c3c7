// guide: README
import LifetimeTracerTestKit
import Testing

@Suite(.leakFree) struct LoginFlowTests {
    @Test func theFlowEnds() async {
        var flow: LoginFlow? = LoginFlow()
        flow?.end()
        await expectReleased(&flow, within: .seconds(1), because: "its flow has ended")
    }
}
// guide: end
