/// Makes the finding on growing types, tokens or a growing process.
enum GrowthDetails {
    /// Returns the finding.
    ///
    /// A growing type whose overdue instances are all known leaks counts as known.
    static func finding(_ look: CheckLook, limit: Int) -> CheckFinding {
        let knownTypes = OverdueDetails.knownTypes(in: look.overdueGroups)
        let open = look.growing.filter { growth in
            growth.known == nil && (growth.event != nil || !knownTypes.contains(growth.type ?? ""))
        }
        let details = open.map { growth in
            let subject = growth.event == nil ? growth.type ?? growth.name : growth.name
            return CheckFinding.Detail(
                count: growth.live, subject: growth.event ?? growth.type, text: "\(subject): \(growth.reason)")
        }
        return CheckFinding(
            kind: .growing, count: open.count, limit: limit, known: look.growing.count - open.count, details: details,
            advice: "a cache that is being filled also grows; --max-growing N allows N growing types or events")
    }
}
