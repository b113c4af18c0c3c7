import CRetainPaths
import LifetimeTracer
import TracerBase

/// Names the leaks, and joins equal ones.
struct LeakNaming {
    private let lines: LineNaming
    private let knownLeaks: KnownLeaks
    private let modules: Set<String>
    private let today: CalendarDay

    /// - Parameter today: The current day, which decides whether known leaks have expired.
    init(lines: LineNaming, options: RetainPaths.Options, today: CalendarDay) {
        self.lines = lines
        knownLeaks = options.knownLeaks
        modules = KnownTypes.libraries.union(options.libraryModules)
        self.today = today
    }

    /// The named leaks.
    func leaks(_ search: LeakSearch) -> HeapGraph.Leaks {
        let reader = NodeReader(names: lines.names, threads: search.threads, libraryModules: modules)
        var joined: [HeapGraph.Leak.OwnIdentity: HeapGraph.Leak] = [:]
        for entry in search.entries {
            let leak = named(entry, reader)
            let key = leak.ownIdentity
            if joined[key] == nil {
                joined[key] = leak
            } else {
                joined[key]?.add(leak)
            }
        }
        let all = joined.values.sorted {
            ($1.bytes, $0.name, $0.signature, $0.type) < ($0.bytes, $1.name, $1.signature, $1.type)
        }
        return HeapGraph.Leaks(
            cycles: all.filter { $0.kind == .cycle }, uncertain: all.filter { $0.kind != .cycle },
            leftOut: search.leftOut, leftOutCycles: search.leftOutCycles, notCompared: search.notCompared,
            obstacle: search.obstacle)
    }

    private func named(_ victims: [rp_victims]) -> [HeapGraph.Victims] {
        victims.map { victims in
            let line = Census.Line(
                kind: RP_LINE_OBJECTS, node: rp_node_kind(UInt32(victims.node)), metadata: victims.metadata, detail: 0,
                count: 0, bytes: 0)
            let named = lines.named(line)
            return HeapGraph.Victims(
                name: named.name, type: named.type, count: Int(clamping: victims.count),
                inCycles: Int(clamping: victims.cyclic))
        }
    }

    private func named(_ entry: LeakSearch.Entry, _ reader: NodeReader) -> HeapGraph.Leak {
        let finding = entry.finding
        let object = lines.named(
            Census.Line(
                kind: RP_LINE_OBJECTS, node: entry.node, metadata: finding.metadata, detail: 0, count: 0, bytes: 0))
        let path = NamedPath(ofLeak: finding, reader: reader, libraryModules: modules)
        let isUnexplained = entry.kind == .overRetained && path == nil
        let fingerprint =
            isUnexplained
            ? Fingerprint(parts: ["unexplained", object.type.isEmpty ? object.name : object.type]) : path?.fingerprint
        let signature = isUnexplained ? [object.name] : path?.signature ?? []
        let match = knownLeaks.match(fingerprint: fingerprint, signature: signature, on: today)
        let isKnown = match.map { !$0.hasExpired(on: today) } ?? false
        return HeapGraph.Leak(
            kind: entry.kind, name: object.name, type: object.type,
            isOfProgram: object.isOfProgram || path?.hasOwnClosureInCycle ?? false,
            count: entry.count, objects: entry.objects, bytes: entry.bytes, victims: named(entry.victims),
            strongReferences: finding.strongCount,
            explainedReferences: finding.found, path: path?.steps ?? [], cycle: path?.cycle, suspect: path?.suspect,
            hint: path.flatMap { HintFinder(path: $0).hint }, fingerprint: fingerprint,
            signature: signature.joined(separator: " \(PathPattern.separator) "), known: isKnown ? match : nil,
            expired: isKnown ? nil : match)
    }
}
