/// How results stand against thresholds.
///
/// A limit whose figure is missing is neither held nor missed, it is *unmeasured*; with none measured at all nothing was
/// checked, and that is no success.
public struct Judgement: Sendable {
    /// A line for each limit that is held.
    public private(set) var held: [String] = []
    /// A line for each limit that is missed.
    public private(set) var missed: [String] = []
    /// A line for each limit without a figure.
    public private(set) var unmeasured: [String] = []

    /// Whether something was checked and nothing was missed.
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

    /// A line for each limit that is not held, and the sum.
    public var text: String {
        let lines =
            missed.map { "MISSED      \($0)" } + unmeasured.map { "not measured  \($0)" }
            + ["\(held.count) held, \(missed.count) missed, \(unmeasured.count) not measured"]
        return lines.joined(separator: "\n")
    }
}
