public import LifetimeTracer
import RetainPaths

/// Expects an exact number of live instances of a type.
///
/// Checks the current registry once, at the time of the call. In a `leakFree` test or a block of `assertLeakFree` that
/// registry contains only the instances that the test or block created. A failure blocks the thread while the retain
/// paths are searched.
///
/// - Parameters:
///   - type: The type itself, without its subclasses.
///   - count: The expected number.
///   - reason: A human-readable reason for the number.
///   - registry: The registry to check; by default the current one.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
public func expectLive(
    _ type: AnyClass, count: Int, because reason: String? = nil, in registry: LifetimeRegistry = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    let name = registry.name(of: type)
    guard registry.liveCount(of: type) != count else { return }
    let instances = registry.snapshot().instances.filter { $0.type == name }
    // The number may have become right between the count and the snapshot.
    guard instances.count != count else { return }
    var finding = Finding(headline: "\(instances.count) \(name.readable) \(instances.count == 1 ? "is" : "are") live.")
    finding.expected = "\(count)" + (reason.map { ": \($0)" } ?? "") + "."
    finding.report(
        tooMany: instances.count > count ? instances : [], in: registry, at: CallSite(fileID, filePath, line, column))
}

/// Expects that no type has more live instances than its budget: `[Screen.self: 2, ImageCache.self: 1]`.
///
/// Checks the current registry once, at the time of the call. A budget covers the type itself, without its subclasses.
///
/// - Parameters:
///   - budgets: The most live instances allowed for each type.
///   - reason: A human-readable reason for the budgets.
///   - registry: The registry to check; by default the current one.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
public func expectWithinBudgets(
    _ budgets: LeakBudgets, because reason: String? = nil, in registry: LifetimeRegistry = .current,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: Int = #line, column: Int = #column
) {
    let allowed = budgets.byName(in: registry)
    let instances = registry.snapshot().instances.filter { allowed[$0.type] != nil }
    let counts = instances.reduce(into: [TypeName: Int]()) { $0[$1.type, default: 0] += 1 }
    let over = counts.filter { $0.value > allowed[$0.key, default: 0] }.sorted { $0.key.qualified < $1.key.qualified }
    guard !over.isEmpty else { return }
    let words = over.map { "\($0.value) \($0.key.readable) (budget \(allowed[$0.key, default: 0]))" }
    var finding = Finding(headline: "Over budget: \(words.joined(separator: ", ")).")
    finding.expected = reason.map { "no more: \($0)." }
    let types = Set(over.map(\.key))
    finding.report(
        tooMany: instances.filter { types.contains($0.type) }, in: registry,
        at: CallSite(fileID, filePath, line, column))
}

/// Expects a fixed number of live instances of one type for each live instance of another.
///
/// ```swift
/// expectInvariant(1, of: ViewModel.self, forEach: Screen.self, because: "a screen has one view model")
/// ```
/// Checks the current registry once, at the time of the call. Both types are counted without their subclasses.
///
/// - Parameters:
///   - count: The expected number for each instance of `each`, from 0.
///   - type: The type whose instances are counted.
///   - each: The type whose live instances determine the expected total.
///   - reason: A human-readable reason for the invariant.
///   - registry: The registry to check; by default the current one.
///   - fileID: The file and module of the call, for the report.
///   - filePath: The path of the file of the call, for the report.
///   - line: The line of the call, for the report.
///   - column: The column of the call, for the report.
public func expectInvariant(
    _ count: Int, of type: AnyClass, forEach each: AnyClass, because reason: String,
    in registry: LifetimeRegistry = .current, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: Int = #line, column: Int = #column
) {
    let (ofName, eachName) = (registry.name(of: type), registry.name(of: each))
    let snapshot = registry.snapshot()
    let of = snapshot.instances.filter { $0.type == ofName }
    let each = snapshot.instances.filter { $0.type == eachName }
    guard of.count != each.count * count else { return }
    var finding = Finding(
        headline: "\(each.count) live \(eachName.readable) and \(of.count) live \(ofName.readable).")
    finding.expected = "\(count) \(ofName.readable) for each \(eachName.readable): \(reason)."
    finding.report(
        tooMany: of.count > each.count * count ? of : each, in: registry, at: CallSite(fileID, filePath, line, column))
}

extension Finding {
    /// Lists the surplus instances, searches for their retain paths, and reports the finding.
    ///
    /// Blocks the thread during the search.
    consuming func report(tooMany instances: [InstanceRecord], in registry: LifetimeRegistry, at site: CallSite) {
        var finding = self
        finding.instances = instances
        if !instances.isEmpty {
            let ids = instances.prefix(HolderSearch.instanceLimit).map(\.id)
            // The question passes no known leaks, so that the path of a known leak is reported as well.
            finding.take(HolderSearch.answerBlocking(to: RetainQuestion(ids, in: registry)), in: registry)
        }
        Reporter.report(finding, at: site)
    }
}
