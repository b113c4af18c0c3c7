import LifetimeTracer
import RetainPaths

/// What a search found out about one instance.
struct RetainFinding: Sendable {
    /// Who holds it.
    let explanation: RetainExplanation
    /// The instance of the same search through which alone it is held.
    let culprit: RetainExplanation?
    /// The instances of the same search that are held through it alone.
    let victims: [RetainExplanation]
    /// What the search cost.
    let cost: RetainCost
    /// When the search ended.
    let foundAt: MonotonicTime

    /// The findings of a report, by instance.
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
