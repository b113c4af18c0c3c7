import LifetimeTracer
import RetainPaths

/// The wire type of the retain path of an instance.
struct WireRetainPath: JSONObject {
    private let finding: RetainFinding
    private let paths: [WireRetainPathSteps]
    private let text: String
    private let foundAt: Timestamp
    private let age: DecimalNumber

    private var explanation: RetainExplanation { finding.explanation }

    /// Creates the wire value of a finding.
    ///
    /// - Parameter full: Whether to include every step, even steps that the short form leaves out.
    init(_ finding: RetainFinding, full: Bool = false, _ clock: WireClock) {
        self.finding = finding
        let steps = WireRetainStep.all(of: finding.explanation, full: full)
        paths = steps.isEmpty ? [] : [WireRetainPathSteps(root: finding.explanation.rootName, steps: steps)]
        text = finding.text(full: full)
        foundAt = clock.timestamp(finding.foundAt)
        age = clock.age(finding.foundAt)
    }

    static let fields = Field.list {
        Field("instance") { $0.explanation.instance }
        Field("type") { $0.explanation.type.qualified }
        Field("status") { $0.explanation.status }
        Field("strongReferences", as: .integer(0...)) { $0.explanation.strongReferences }
        Field("explained", as: .integer(0...)) { $0.explanation.explainedReferences }
        Field("paths", as: .array(of: WireRetainPathSteps.schema, count: 0...1)) { $0.paths }
        Field("holders") { $0.explanation.holders.map(WireRetainHolder.init) }
        Field("culprit") { $0.finding.culprit.map(WireRetainedInstance.init) }
        Field("victims") { $0.finding.victims.map(WireRetainedInstance.init) }
        Field("hint") { $0.explanation.hint?.text }
        Field("pattern") { $0.explanation.hint?.pattern }
        Field("fingerprint") { $0.explanation.fingerprint }
        Field("signature") { $0.explanation.signature }
        Field("known") { $0.explanation.known.map { WireKnownLeak(KnownLeakEntry($0)) } }
        Field("expired") { $0.explanation.expired.map { WireKnownLeak(KnownLeakEntry($0)) } }
        Field("text") { $0.text }
        Field("foundAt") { $0.foundAt }
        Field("ageSeconds") { $0.age }
        Field("copy") { WireRetainCost($0.finding.cost) }
    }
}

/// The wire type of the steps from a root, or around a cycle.
private struct WireRetainPathSteps: JSONObject {
    let root: String?
    let steps: [WireRetainStep]

    static let fields = Field.list {
        Field("root") { $0.root }
        Field("steps") { $0.steps }
    }
}

/// The wire type of an instance that another explanation names.
private struct WireRetainedInstance: JSONObject {
    let explanation: RetainExplanation

    static let fields = Field.list {
        Field("id") { $0.explanation.instance }
        Field("type") { $0.explanation.type.qualified }
    }
}

/// The wire type of a direct holder of an instance.
private struct WireRetainHolder: JSONObject {
    let holder: RetainHolder

    static let fields = Field.list {
        Field("kind") { $0.holder.step.kind }
        Field("name") { $0.holder.step.name }
        Field("through") { $0.holder.step.through }
        Field("certain") { $0.holder.step.isCertain }
        Field("reachable") { $0.holder.isReachable }
    }
}

extension RetainFinding {
    /// Returns the finding as text, with the victims and the cost of the search.
    fileprivate func text(full: Bool) -> String {
        var text = explanation.text(full: full)
        for victim in victims { text += "  Victim: \(victim.shortTypeName) #\(victim.instance)\n" }
        return text + "\n\(cost.text)\n"
    }
}

extension RetainExplanation {
    /// The root of the path; `nil` if the path has none.
    fileprivate var rootName: String? {
        switch path.first?.kind {
        case .global, .threadLocal, .stack, .otherMemory: path.first?.name
        default: nil
        }
    }
}
