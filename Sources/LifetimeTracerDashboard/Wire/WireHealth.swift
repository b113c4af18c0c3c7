import LifetimeTracer

/// The outcome of the self-test as it is sent.
struct WireHealth: JSONObject {
    private enum Status: String, JSONChoice {
        case ok, failing
    }

    private let selfTest: SelfTest

    init(_ selfTest: SelfTest) {
        self.selfTest = selfTest
    }

    static let fields = Field.list {
        Field("status") { $0.selfTest.passed ? Status.ok : .failing }
        Field("selfTest") { WireSelfTest(selfTest: $0.selfTest) }
    }
}

/// The self-test as it is sent.
private struct WireSelfTest: JSONObject {
    let selfTest: SelfTest

    static let fields = Field.list {
        Field("passed") { $0.selfTest.passed }
        Field("ranAt") { Timestamp($0.selfTest.ranAt) }
        Field("milliseconds") { DecimalNumber.milliseconds($0.selfTest.duration) }
        Field("checks") { $0.selfTest.checks.map(WireSelfTestCheck.init) }
    }
}

/// One check of the self-test as it is sent.
private struct WireSelfTestCheck: JSONObject {
    let check: SelfTest.Check

    static let fields = Field.list {
        Field("name") { $0.check.name }
        Field("passed") { $0.check.passed }
    }
}
