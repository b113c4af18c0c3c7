import LifetimeTracer
import RetainPaths

/// The result of a search for one instance.
struct RetainFinding: Sendable {
    /// The explanation why the instance is live.
    let explanation: RetainExplanation
    /// The explanation of the instance's culprit, if the instance is a victim.
    let culprit: RetainExplanation?
    /// The explanations of the victims, if the instance is a culprit.
    let victims: [RetainExplanation]
    /// The cost of the whole search.
    let cost: RetainCost
    /// The time at which the search ended.
    let foundAt: MonotonicTime

    /// Returns the findings of a report, by instance.
    static func all(in report: RetainReport, at time: MonotonicTime) -> [InstanceID: Self] {
        let explanations = Dictionary(report.explanations.map { ($0.instance, $0) }) { first, _ in first }
        let victims = Dictionary(report.groups.map { ($0.culprit.instance, $0.victims) }) { first, _ in first }
        return explanations.mapValues { explanation in
            Self(
                explanation: explanation, culprit: explanation.culprit.flatMap { explanations[$0] },
                victims: victims[explanation.instance] ?? [], cost: report.cost, foundAt: time)
        }
    }
}
