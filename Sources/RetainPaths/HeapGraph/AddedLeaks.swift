import LifetimeTracer

extension HeapGraph.Leaks {
    /// The cycles that came to be since an earlier search, with the number of those that are new.
    package func cyclesAdded(since earlier: HeapGraph.Leaks) -> [HeapGraph.Leak] {
        let before = Dictionary(earlier.cycles.map { ($0.identity, $0) }) { first, _ in first }
        return cycles.compactMap { leak in
            guard let old = before[leak.identity] else { return leak }
            guard leak.count > old.count else { return nil }
            var added = leak
            added.count -= old.count
            added.objects = max(added.objects - old.objects, added.count)
            added.bytes = max(added.bytes - old.bytes, 0)
            return added
        }
    }
}

extension HeapGraph.Leak {
    /// The properties that equal leaks share.
    struct Identity: Hashable {
        let kind: Kind
        let fingerprint: Fingerprint?
        /// Empty if the fingerprint suffices.
        let text: String
    }

    var identity: Identity {
        Identity(
            kind: kind, fingerprint: fingerprint, text: fingerprint == nil ? "\(type) \(name) \(signature)" : "")
    }
}
