// guide: case
import LifetimeTracerTestKit
import XCTest

final class LoginCase: LeakFreeTestCase {
    func testTheFlowEnds() {
        let flow = LoginFlow()
        flow.end()
    }
}
// guide: end
