import RetainPaths

/// What a search cost, as it is sent.
struct WireRetainCost: JSONWritable {
    private let cost: RetainCost

    init(_ cost: RetainCost) {
        self.cost = cost
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("objects", cost.objects)
            writer.field("blocks", cost.blocks)
            writer.field("rounds", cost.rounds)
            writer.field("copyBytes", cost.copyBytes)
            writer.field("pauseMilliseconds", Self.milliseconds(cost.pauseNanoseconds))
            writer.field("totalMilliseconds", Self.milliseconds(cost.totalNanoseconds))
        }
    }

    private static func milliseconds(_ nanoseconds: UInt64) -> DecimalNumber {
        .milliseconds(.nanoseconds(Int64(clamping: nanoseconds)))
    }
}
