/// Makes the finding on growing types.
enum GrowthDetails {
    /// Returns the finding on growing types.
    ///
    /// A growing type whose overdue instances are all known leaks counts as known.
    static func finding(_ look: CheckLook, limit: Int) -> CheckFinding {
        let knownTypes = OverdueDetails.knownTypes(in: look.overdueGroups)
        let growing = look.types.filter(\.growing)
        let open = growing.filter { !knownTypes.contains($0.type) }
        let details = open.sorted { ($1.growth, $0.type) < ($0.growth, $1.type) }.map { type in
            let seconds = max(0, type.trend.count - 1) * look.trendStepSeconds
            return CheckFinding.Detail(
                count: type.live, subject: type.type,
                text: "\(type.type): from \(type.trend.first ?? 0) to \(type.trend.last ?? 0) live in \(seconds) s")
        }
        return CheckFinding(
            kind: .growing, count: open.count, limit: limit, known: growing.count - open.count, details: details,
            advice: "a cache that is being filled also grows; --max-growing N allows N growing types")
    }
}

extension WireType {
    fileprivate var growth: Int { (trend.last ?? 0) - (trend.first ?? 0) }
}
