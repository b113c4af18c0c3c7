@testable import LifetimeTracer

extension SelfTest {
    /// A self-test result that does not depend on the machine.
    static func fixed(passed: Bool) -> SelfTest {
        SelfTest(
            checks: [
                Check(name: "a birth is counted", passed: true),
                Check(name: "a leak becomes overdue", passed: passed),
            ],
            ranAt: WallTime(nanosecondsSince1970: 1_700_000_000_000_000_000), duration: .microseconds(812))
    }
}
