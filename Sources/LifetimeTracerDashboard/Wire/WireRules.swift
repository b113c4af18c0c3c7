import LifetimeTracer

/// The wire type of how the rules apply.
struct WireRules: JSONObject {
    /// The most patterns that are listed.
    static let unmatchedLimit = 20

    let status: RuleStatus

    static let fields = Field.list {
        Field("file") { $0.status.file }
        Field("types", as: .integer(0...)) { $0.status.types }
        Field("leftOutTypes", as: .integer(0...)) { $0.status.leftOutTypes }
        Field("unmatchedPatterns", as: .integer(0...)) { $0.status.unmatched.count }
        Field("unmatched", as: .array(of: .string(), count: 0...unmatchedLimit)) {
            Array($0.status.unmatched.prefix(unmatchedLimit))
        }
    }
}
