extension [TypeTable.Entry] {
    /// Returns the types with the most live instances, at most `count`; equal ones by name.
    ///
    /// Sorts the counts and not the entries, which have several references each. Only the names of types that could be
    /// among the first are compared.
    func withMostLive(_ count: Int) -> [Element] {
        guard count > 0 else { return [] }
        var most = indices.compactMap { place in self[place].live > 0 ? (live: self[place].live, place: place) : nil }
        most.sort { ($1.live, $0.place) < ($0.live, $1.place) }
        if most.count > count {
            // Types after these have fewer live instances than the last one that is needed.
            let least = most[count - 1].live
            most.removeLast(most.count - (most.lastIndex { $0.live == least } ?? most.count - 1) - 1)
        }
        return most.sorted { left, right in
            left.live == right.live
                ? self[left.place].name.qualified < self[right.place].name.qualified : left.live > right.live
        }
        .prefix(count).map { self[$0.place] }
    }
}
