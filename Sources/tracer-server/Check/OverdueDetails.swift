/// Makes the details of the finding on overdue instances.
enum OverdueDetails {
    /// The most instances that one line names.
    private static let namedLimit = 5

    /// Returns one detail for each group that is not a known leak.
    static func details(of groups: [WireOverdueGroup]) -> [CheckFinding.Detail] {
        groups.filter { $0.overdue > 0 && $0.known == nil }.map { group in
            let overdue = group.instances.filter { $0.state == "overdue" }
            let victims = Set(overdue.filter { $0.role == "victim" }.map(\.type))
            let held = victims.isEmpty ? "" : ", which holds \(victims.sorted().joined(separator: ", "))"
            return CheckFinding.Detail(
                count: group.overdue, subject: group.type,
                text: "\(group.overdue) for \(group.type)\(held): \(group.reason)\(names(of: overdue))",
                instances: overdue.map(\.id), hint: group.retainPath?.hint ?? group.retainPath?.signature)
        }
    }

    /// Returns advice with the command that explains the first unexplained instance.
    static func advice(on groups: [WireOverdueGroup], at address: ServerAddress) -> String? {
        let open = groups.filter { $0.known == nil && $0.retainPath == nil }
        let first = open.flatMap(\.instances).first { $0.state == "overdue" && $0.retainStatus == nil }
        return first.map {
            "to see what holds #\($0.id), run: \(WhyCommand.syntax.call) \(address.description) \($0.id)"
        }
    }

    /// Returns the types whose overdue instances are all known leaks.
    static func knownTypes(in groups: [WireOverdueGroup]) -> Set<String> {
        let overdue = groups.flatMap(\.instances).filter { $0.state == "overdue" }
        return Set(overdue.filter(\.known).map(\.type)).subtracting(overdue.filter { !$0.known }.map(\.type))
    }

    /// Returns the ids of the first instances as text.
    private static func names(of instances: [WireOverdueGroup.Instance]) -> String {
        guard !instances.isEmpty else { return "" }
        let first = instances.prefix(namedLimit).map { "#\($0.id)" }.joined(separator: ", ")
        return instances.count > namedLimit ? " (\(first), …)" : " (\(first))"
    }
}
