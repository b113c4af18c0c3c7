/// The comparison of results with thresholds.
///
/// A limit without a figure is *unmeasured*: neither held nor missed. If no limit was measured, nothing was checked,
/// and the judgement is not good.
public struct Judgement: Sendable {
    /// A line for each limit that the results meet.
    public private(set) var held: [String] = []
    /// A line for each limit that the results exceed.
    public private(set) var missed: [String] = []
    /// A line for each limit without a figure.
    public private(set) var unmeasured: [String] = []

    /// Whether at least one limit was checked and none was missed.
    public var isGood: Bool { missed.isEmpty && !held.isEmpty }

    /// Compares medians with limits.
    public init(of results: Results, against thresholds: Thresholds) {
        for limit in thresholds.limits {
            guard let figure = results.figure(limit.workload, limit.contender, base: limit.base) else {
                let reason = results.gaps.last { $0.workload == limit.workload }?.reason ?? "not part of this run"
                unmeasured.append("\(limit.name): \(reason)")
                continue
            }
            let unit = figure.unit == "x" ? "×" : " \(figure.unit)"
            let words = "\(limit.name) is \(figure.value.median.asFigure)\(unit), limit \(limit.most.asFigure)\(unit)"
            if figure.value.median <= limit.most {
                held.append(words)
            } else {
                missed.append("\(words) (\(Workload.title(of: limit.workload)))")
            }
        }
    }

    /// A line for each missed or unmeasured limit, and the totals.
    public var text: String {
        let lines =
            missed.map { "MISSED      \($0)" } + unmeasured.map { "not measured  \($0)" }
            + ["\(held.count) held, \(missed.count) missed, \(unmeasured.count) not measured"]
        return lines.joined(separator: "\n")
    }
}
