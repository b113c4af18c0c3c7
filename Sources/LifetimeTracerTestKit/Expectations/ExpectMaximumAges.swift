public import LifetimeTracer

/// Expects that no live instance has reached the maximum age of its type.
///
/// ```swift
/// expectWithinMaximumAges([RequestHandler.self: .seconds(60)], because: "a request ends within a minute")
/// ```
/// Checks the current registry once, at the time of the call, by the clock of that registry. With the clock of a
/// ``TestClock``, a test passes a minute at once. An instance is too old at the age at which `setMaximumAge(_:for:)`
/// of a registry makes it overdue. The maximum ages that the program has set with that method hold too, so a call
/// without `ages` checks those. If no type has a maximum age, the expectation fails, because nothing was checked.
///
/// - Parameters:
///   - ages: The maximum ages of types; they replace those that the program has set for the same types.
///   - reason: A human-readable reason for the maximum ages.
///   - registry: The registry to check; by default the current one.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
public func expectWithinMaximumAges(
    _ ages: MaximumAges = [:], because reason: String? = nil, in registry: LifetimeRegistry = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    let site = CallSite(fileID, filePath, line, column)
    let snapshot = registry.snapshot()
    let limits = ages.byName(in: registry, at: snapshot)
    guard !limits.isEmpty else {
        var finding = Finding(headline: "Nothing was checked: no type has a maximum age.")
        finding.expected = "maximum ages in the call, or `setMaximumAge(_:for:)` of the checked registry."
        return Reporter.report(finding, at: site)
    }
    let old = snapshot.instances.filter { instance in
        limits[instance.type].map { instance.bornAt + $0 <= snapshot.takenAt } ?? false
    }
    guard !old.isEmpty else { return }
    let parts = Dictionary(grouping: old, by: \.type).sorted { $0.key.qualified < $1.key.qualified }
        .map { type, instances in
            let oldest = instances.map { snapshot.takenAt - $0.bornAt }.max() ?? .zero
            let limit = limits[type, default: .zero].inWords
            return "\(instances.count) \(type.readable) (maximum age \(limit), oldest \(oldest.inWords))"
        }
    var finding = Finding(headline: "Too old: \(parts.joined(separator: ", ")).")
    finding.expected = reason.map { "no older: \($0)." }
    finding.report(tooMany: old, in: registry, at: site)
}
