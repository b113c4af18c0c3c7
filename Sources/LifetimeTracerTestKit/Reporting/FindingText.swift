import LifetimeTracer
import RetainPaths
import TracerBase

extension Finding {
    /// The most instances that are listed; further ones are counted.
    private static let listedInstances = 8
    /// The most tokens that are listed; further ones are counted.
    private static let listedTokens = 8
    /// The most leaks whose path is printed; further ones are counted.
    private static let listedPaths = HeapGraph.LeakReport.listedPaths
    /// The most victims that are listed for a leak; further ones are counted.
    private static let listedVictims = 8
    /// The most calls of a creation stack that are printed.
    private static let listedCalls = 8

    /// The whole finding as lines of text.
    var text: String {
        var lines = [headline]
        if isBrief {
            let first = instances.first?.described ?? tokens.first?.described
            return (lines + [first.map { "• \($0)" }, notes.last].compactMap(\.self)).joined(separator: "\n")
        }
        if let expected { lines.append("Expected: \(expected)") }
        lines += instanceLines + tokenLines + holderLines + HeapGraph.LeakReport(heapLeaks).pathLines + notes
        return lines.joined(separator: "\n")
    }

    private var instanceLines: [String] {
        var lines = toldInstances.flatMap { record in ["• \(record.described)"] + Self.callLines(of: record) }
        let more = max(0, instances.count - Self.listedInstances) + unlisted
        if more > 0 { lines.append("• and \(more) more") }
        return lines
    }

    /// The instances to list: first the oldest of each type, because types have different creation sites, then others.
    private var toldInstances: [InstanceRecord] {
        guard instances.count > Self.listedInstances else { return instances }
        var types: Set<TypeName> = []
        let (firsts, others) = instances.reduce(into: ([InstanceRecord](), [InstanceRecord]())) { lists, record in
            if types.insert(record.type).inserted { lists.0.append(record) } else { lists.1.append(record) }
        }
        return (firsts + others).prefix(Self.listedInstances).sorted { $0.id < $1.id }
    }

    private static func callLines(of record: InstanceRecord) -> [String] {
        (record.creationStack?.ofTheTest ?? []).prefix(listedCalls).map { "    in \($0)" }
    }

    private var tokenLines: [String] {
        var lines = tokens.prefix(Self.listedTokens).map { "• \($0.described)" }
        if tokens.count > Self.listedTokens { lines.append("• and \(tokens.count - Self.listedTokens) more tokens") }
        return lines
    }

    private var holderLines: [String] {
        switch holders {
        case nil: return []
        case .unknown(let reason): return ["Holder: unknown. \(reason)"]
        case .found(let report):
            let groups = report.leaks
            var lines = groups.prefix(Self.listedPaths).flatMap { self.lines(on: $0) }
            if groups.count > Self.listedPaths {
                lines.append("And \((groups.count - Self.listedPaths).counted("more leak")).")
            }
            return lines
        }
    }

    private func lines(on leak: RetainReport.Leak) -> [String] {
        if inFrames.contains(leak.culprit.instance) { return [frameLine(on: leak.culprit.instance)] }
        var lines = leak.culprit.text().split(separator: "\n").map(String.init)
        if let advice = Self.advice(on: leak.culprit) { lines.append("  \(advice)") }
        let alike = leak.alike.values.reduce(0, +)
        if alike > 0 {
            let types = leak.alike.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.value) \($0.key)" }
            lines.append(
                "  \(alike) more \(alike == 1 ? "is" : "are") held in the same way: \(types.joined(separator: ", ")).")
        }
        lines += leak.victims.prefix(Self.listedVictims).map { "  Victim: \($0.shortTypeName) #\($0.instance)" }
        if leak.victims.count > Self.listedVictims {
            lines.append("  Victims: \(leak.victims.count - Self.listedVictims) more")
        }
        if let fingerprint = leak.culprit.fingerprint { lines.append("  Fingerprint: \(fingerprint)") }
        return lines
    }

    /// Explains an instance that the optimiser has placed in the frame of a function.
    ///
    /// The optimiser does so only if nothing but a variable of that function holds the instance.
    private func frameLine(on id: InstanceID) -> String {
        let name = instances.first { $0.id == id }.map { "\($0.type.readable) #\(id)" } ?? "#\(id)"
        return "\(name) is not on the heap but in the stack frame of a running function: "
            + "a variable of that function holds it, most likely a variable of the test itself."
    }

    /// Advice for an instance that a variable holds, because the path cannot say more about a variable.
    private static func advice(on leak: RetainExplanation) -> String? {
        guard leak.suspect == nil, leak.path.first?.kind == .stack else { return nil }
        return
            "A variable holds the instance, most likely a variable of the test itself. End the scope of the variable "
            + "before the check, set it to nil, or pass it with &."
    }
}

extension CreationStack {
    /// The functions up to the framework's call of the test, without those of the test kit.
    fileprivate var ofTheTest: [String] {
        let calls = frames.filter { !($0.mangledName?.hasPrefix("$s21LifetimeTracerTestKit") ?? false) }
        return calls.prefix { !Self.isFrameworks($0) }.map(\.name)
    }

    // The code that Swift Testing's macros generate has symbols that do not demangle; XCTest generates a list of each
    // class's tests.
    private static func isFrameworks(_ symbol: Symbol) -> Bool {
        symbol.name.contains("$s") || symbol.name.contains(".__allTests")
            || libraries.contains { symbol.module.hasPrefix($0) }
            || ["swift_job_run", "swift_task_"].contains { symbol.name.hasPrefix($0) }
    }

    private static let libraries = ["libTesting", "libXCTest", "libdispatch", "libswift_Concurrency"]
}

extension InstanceRecord {
    /// Type, id, label, creation site and owner in one line.
    var described: String {
        "\(type.readable) #\(id)" + (label.map { " \"\($0)\"" } ?? "") + (site.map { ", created at \($0)" } ?? "")
            + (owner.map { ", owner \($0.described)" } ?? "")
    }
}

extension OwnerRecord {
    fileprivate var described: String {
        "\(type?.readable ?? "instance") #\(id)" + (isLive ? "" : ", which has gone")
    }
}

extension TokenRecord {
    /// Kind, event, owner and registration site in one line.
    var described: String {
        let owner = owner.map { ", owner \($0.described)" } ?? ownerType.map { ", owner \($0.readable)" } ?? ""
        return "\(kind) token for \(event)\(owner)" + (site.map { ", registered at \($0)" } ?? "")
    }
}

extension RetainReport {
    /// A leak that is not a known leak, with its instances.
    struct Leak: Sendable {
        let culprit: RetainExplanation
        /// The number of further culprits with the same fingerprint, by type.
        var alike: [String: Int] = [:]
        var victims: [RetainExplanation]
    }

    /// The leaks that are not known leaks; groups with the same fingerprint count as one.
    var leaks: [Leak] {
        var leaks: [Leak] = []
        var byFingerprint: [Fingerprint: Int] = [:]
        for group in groups where group.culprit.known == nil {
            if let fingerprint = group.culprit.fingerprint, let known = byFingerprint[fingerprint] {
                leaks[known].alike[group.culprit.shortTypeName, default: 0] += 1
                leaks[known].victims += group.victims
                continue
            }
            if let fingerprint = group.culprit.fingerprint { byFingerprint[fingerprint] = leaks.count }
            leaks.append(Leak(culprit: group.culprit, victims: group.victims))
        }
        return leaks
    }
}
