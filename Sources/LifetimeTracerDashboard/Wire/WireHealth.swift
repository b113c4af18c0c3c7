import LifetimeTracer

/// The outcome of the self-test as it is sent.
struct WireHealth: JSONWritable {
    private let selfTest: SelfTest

    init(_ selfTest: SelfTest) {
        self.selfTest = selfTest
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("status", selfTest.passed ? "ok" : "failing")
            writer.key("selfTest")
            writer.object { writer in
                writer.field("passed", selfTest.passed)
                writer.field("ranAt", Timestamp(selfTest.ranAt))
                writer.field("milliseconds", DecimalNumber.milliseconds(selfTest.duration))
                writer.key("checks")
                writer.array(selfTest.checks) { writer, check in
                    writer.object { writer in
                        writer.field("name", check.name)
                        writer.field("passed", check.passed)
                    }
                }
            }
        }
    }
}
