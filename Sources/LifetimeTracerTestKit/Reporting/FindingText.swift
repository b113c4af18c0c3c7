import LifetimeTracer
import RetainPaths

extension Finding {
    /// The instances that are listed; more are counted.
    private static let listedInstances = 8
    /// The tokens that are listed; more are counted.
    private static let listedTokens = 8
    /// The leaks of which the path is told; more are counted.
    private static let listedPaths = 4
    /// The calls of a creation stack that are told.
    private static let listedCalls = 8

    /// All of it, in lines.
    var text: String {
        var lines = [headline]
        if let expected { lines.append("Expected: \(expected)") }
        lines += instanceLines + tokenLines + holderLines + notes
        return lines.joined(separator: "\n")
    }

    private var instanceLines: [String] {
        var lines = instances.prefix(Self.listedInstances).flatMap { record in
            ["• \(record.described)"] + Self.callLines(of: record)
        }
        let more = UInt64(max(0, instances.count - Self.listedInstances)) + unlisted
        if more > 0 { lines.append("• and \(more) more") }
        return lines
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
        case .unknown(let reason): return ["Who holds it: not known. \(reason)"]
        case .found(let report):
            let groups = report.leaks
            var lines = groups.prefix(Self.listedPaths).flatMap { Self.lines(on: $0) }
            if groups.count > Self.listedPaths { lines.append("And \(groups.count - Self.listedPaths) more leaks.") }
            return lines
        }
    }

    private static func lines(on leak: RetainReport.Leak) -> [String] {
        var lines = leak.culprit.text().split(separator: "\n").map(String.init)
        if leak.alike > 0 {
            lines.append("  \(leak.alike) more of \(leak.culprit.shortTypeName) are held in the same way.")
        }
        lines += leak.victims.map { "  With it goes \($0.shortTypeName) #\($0.instance)" }
        if let fingerprint = leak.culprit.fingerprint { lines.append("  Fingerprint: \(fingerprint)") }
        return lines
    }
}

extension CreationStack {
    /// The functions up to where a framework calls the test, without the kit's own.
    fileprivate var ofTheTest: [String] {
        let calls = frames.filter { !($0.mangledName?.hasPrefix("$s21LifetimeTracerTestKit") ?? false) }
        return calls.prefix { !Self.isFrameworks($0) }.map(\.name)
    }

    // What the macros of Swift Testing make has a name that cannot be read.
    private static func isFrameworks(_ symbol: Symbol) -> Bool {
        symbol.name.contains("$s") || libraries.contains { symbol.module.hasPrefix($0) }
            || ["swift_job_run", "swift_task_"].contains { symbol.name.hasPrefix($0) }
    }

    private static let libraries = ["libTesting", "libXCTest", "libdispatch", "libswift_Concurrency"]
}

extension InstanceRecord {
    /// Type, id, label and creation site in a line.
    var described: String {
        "\(type.name) #\(id)" + (label.map { " \"\($0)\"" } ?? "") + (site.map { ", made at \($0)" } ?? "")
            + (owner.map { ", owner \($0.described)" } ?? "")
    }
}

extension OwnerRecord {
    fileprivate var described: String {
        "\(type?.name ?? "instance") #\(id)" + (isLive ? "" : ", which has gone")
    }
}

extension TokenRecord {
    /// Kind, event, owner and registration site in a line.
    var described: String {
        let owner = owner.map { ", owner \($0.described)" } ?? ownerType.map { ", owner \($0.name)" } ?? ""
        return "\(kind) token for \(event)\(owner)" + (site.map { ", registered at \($0)" } ?? "")
    }
}

extension RetainReport {
    /// Instances of one leak that are not known.
    struct Leak: Sendable {
        let culprit: RetainExplanation
        /// Further culprits with the same fingerprint.
        var alike = 0
        var victims: [RetainExplanation]
    }

    /// The leaks that are not known: groups with the same fingerprint count as one.
    var leaks: [Leak] {
        var leaks: [Leak] = []
        var byFingerprint: [Fingerprint: Int] = [:]
        for group in groups where group.culprit.known == nil {
            if let fingerprint = group.culprit.fingerprint, let known = byFingerprint[fingerprint] {
                leaks[known].alike += 1
                leaks[known].victims += group.victims
                continue
            }
            if let fingerprint = group.culprit.fingerprint { byFingerprint[fingerprint] = leaks.count }
            leaks.append(Leak(culprit: group.culprit, victims: group.victims))
        }
        return leaks
    }
}
