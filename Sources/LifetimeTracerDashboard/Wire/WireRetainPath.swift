import LifetimeTracer
import RetainPaths

/// Who holds an instance, as it is sent.
struct WireRetainPath: JSONWritable {
    private let finding: RetainFinding
    private let steps: [WireRetainStep]
    private let text: String
    private let foundAt: Timestamp
    private let age: DecimalNumber

    /// - Parameter full: With every step, also those that say little to people.
    init(_ finding: RetainFinding, full: Bool = false, _ clock: WireClock) {
        self.finding = finding
        steps = WireRetainStep.all(of: finding.explanation, full: full)
        text = finding.text(full: full)
        foundAt = clock.timestamp(finding.foundAt)
        age = clock.age(finding.foundAt)
    }

    func write(to writer: inout JSONWriter) {
        let explanation = finding.explanation
        writer.object { writer in
            writer.field("instance", explanation.instance.rawValue)
            writer.field("type", explanation.typeName)
            writer.field("status", explanation.status.rawValue)
            writer.field("strongReferences", explanation.strongReferences)
            writer.field("explained", explanation.explainedReferences)
            writer.key("paths")
            writer.array(steps.isEmpty ? [] : [steps]) { writer, steps in
                writer.object { writer in
                    writer.field("root", explanation.rootName)
                    writer.field("steps", steps)
                }
            }
            writer.key("holders")
            writer.array(explanation.holders) { $0.holder($1) }
            writer.field("culprit", finding.culprit.map(WireRetainedInstance.init))
            writer.field("victims", finding.victims.map(WireRetainedInstance.init))
            writer.field("hint", explanation.hint?.text)
            writer.field("pattern", explanation.hint?.pattern.rawValue)
            writer.field("fingerprint", explanation.fingerprint?.description)
            writer.field("signature", explanation.signature)
            writer.field("known", explanation.known.map { WireKnownLeak(ToleratedLeak($0)) })
            writer.field("expired", explanation.expired.map { WireKnownLeak(ToleratedLeak($0)) })
            writer.field("text", text)
            writer.field("foundAt", foundAt)
            writer.field("ageSeconds", age)
            writer.field("snapshot", WireRetainCost(finding.cost))
        }
    }
}

/// An instance that another explanation names, as it is sent.
private struct WireRetainedInstance: JSONWritable {
    let explanation: RetainExplanation

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("id", explanation.instance.rawValue)
            writer.field("type", explanation.typeName)
        }
    }
}

extension RetainFinding {
    /// The finding as text, with its victims and what it cost.
    fileprivate func text(full: Bool) -> String {
        var text = explanation.text(full: full)
        for victim in victims { text += "  With it goes \(victim.shortTypeName) #\(victim.instance)\n" }
        return text + "\n\(cost.text)\n"
    }
}

extension RetainExplanation {
    /// The root of the path; `nil` where there is none.
    fileprivate var rootName: String? {
        switch path.first?.kind {
        case .global, .threadLocal, .stack, .otherMemory: path.first?.name
        default: nil
        }
    }
}

extension JSONWriter {
    fileprivate mutating func holder(_ holder: RetainHolder) {
        object { writer in
            writer.field("kind", holder.step.kind.rawValue)
            writer.field("name", holder.step.name)
            writer.field("through", holder.step.through)
            writer.field("certain", holder.step.isCertain)
            writer.field("reachable", holder.isReachable)
        }
    }
}
