import LifetimeTracer

/// Finds out who is to blame when one overdue instance holds another.
///
/// An instance that should be gone is a victim when following owners and parents leads to another one that should be gone; its
/// culprit is the one at the end of the way. Where the way bites its tail, the one with the lowest id stands for the cycle.
/// Robert Tarjan's algorithm for strongly connected components, without recursion, so that a tree may be of any depth: each
/// instance is looked at once, however many are asked for.
struct CulpritSearch {
    private struct Visit {
        let id: InstanceID
        let order: Int
        let holders: [InstanceID]
        var nextHolder = 0
        // The earliest visit that can be reached from here.
        var low: Int
    }

    private let holders: (InstanceID) -> [InstanceID]
    private let isSuspect: (InstanceID) -> Bool
    /// What is settled: the culprit at the end of the way from an instance, where there is one.
    private var settled: [InstanceID: InstanceID?] = [:]

    private var visits: [Visit] = []
    private var unsettled: [InstanceID] = []
    private var orders: [InstanceID: Int] = [:]
    // For what is not settled yet: a culprit that was found outside its cycle.
    private var outside: [InstanceID: InstanceID] = [:]

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - holders: Who may hold an instance: its owner and its parent, as far as they are there.
    ///   - isSuspect: Whether an instance should be gone.
    init(holders: @escaping (InstanceID) -> [InstanceID], isSuspect: @escaping (InstanceID) -> Bool) {
        self.holders = holders
        self.isSuspect = isSuspect
    }

    /// Who is to blame for an instance that should be gone; itself when nobody else is.
    mutating func culprit(of suspect: InstanceID) -> InstanceID {
        if settled[suspect] == nil { follow(suspect) }
        return (settled[suspect] ?? nil) ?? suspect
    }

    private mutating func follow(_ start: InstanceID) {
        begin(start)
        while var visit = visits.popLast() {
            guard visit.nextHolder < visit.holders.count else {
                finish(visit)
                continue
            }
            let holder = visit.holders[visit.nextHolder]
            if let answer = settled[holder] {
                visit.nextHolder += 1
                if let answer, outside[visit.id] == nil { outside[visit.id] = answer }
                visits.append(visit)
            } else if let order = orders[holder] {
                visit.nextHolder += 1
                visit.low = min(visit.low, order)
                visits.append(visit)
            } else {
                // Looked at again when the holder has been followed: then it is settled, or part of this cycle.
                visits.append(visit)
                begin(holder)
            }
        }
    }

    private mutating func begin(_ id: InstanceID) {
        let order = orders.count
        orders[id] = order
        unsettled.append(id)
        visits.append(Visit(id: id, order: order, holders: holders(id), low: order))
    }

    private mutating func finish(_ visit: Visit) {
        guard visit.low == visit.order else {
            if let caller = visits.indices.last { visits[caller].low = min(visits[caller].low, visit.low) }
            return
        }
        let start = unsettled.lastIndex(of: visit.id) ?? unsettled.startIndex
        let members = unsettled[start...]
        let found = members.compactMap { outside[$0] }.first ?? members.filter(isSuspect).min()
        for member in members {
            settled.updateValue(found, forKey: member)
            outside[member] = nil
        }
        unsettled.removeSubrange(start...)
    }
}
