import LifetimeTracer

extension HeapGraph.Leaks {
    /// The cycles that came to be since an earlier search, with the number of those that are new.
    ///
    /// Cycles through several closures of a function count together: if an object has several such closures, a search
    /// may find it by another closure than the search before.
    package func cyclesAdded(since earlier: HeapGraph.Leaks) -> [HeapGraph.Leak] {
        let before = Dictionary(grouping: earlier.cycles, by: \.identity)
        let now = Dictionary(grouping: cycles, by: \.identity)
        return cycles.compactMap { leak in
            guard let old = before[leak.identity] else { return leak }
            guard Self.count(now[leak.identity] ?? []) > Self.count(old) else { return nil }
            guard let same = old.first(where: { $0.ownIdentity == leak.ownIdentity }) else { return leak }
            guard leak.count > same.count else { return nil }
            var added = leak
            added.count -= same.count
            added.objects = max(added.objects - same.objects, added.count)
            added.bytes = max(added.bytes - same.bytes, 0)
            added.victims = leak.victims.subtracting(same.victims)
            return added
        }
    }

    private static func count(_ leaks: [HeapGraph.Leak]) -> Int {
        leaks.reduce(0) { $0 + $1.count }
    }
}

extension HeapGraph.Leak {
    /// The properties that leaks with the same fingerprint share.
    struct Identity: Hashable {
        let kind: Kind
        let fingerprint: Fingerprint?
        /// Empty if the fingerprint suffices.
        let text: String
    }

    /// The properties that equal leaks share: also the closure that is to change, because a fingerprint does not tell
    /// the closures of a function apart, and the numbers of references to an over-retained object.
    struct OwnIdentity: Hashable {
        let identity: Identity
        /// Empty if the suspect is no closure.
        let closure: String
        /// Empty if the object is not over-retained.
        let references: [Int]
    }

    var identity: Identity {
        Identity(
            kind: kind, fingerprint: fingerprint, text: fingerprint == nil ? "\(type) \(name) \(signature)" : "")
    }

    var ownIdentity: OwnIdentity {
        let step = suspect.map { path[$0] }
        return OwnIdentity(
            identity: identity, closure: step?.kind == .closure ? step?.name ?? "" : "",
            references: kind == .overRetained ? [strongReferences, explainedReferences] : [])
    }
}
