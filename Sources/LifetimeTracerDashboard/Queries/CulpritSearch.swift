import LifetimeTracer

/// Finds the culprit of each overdue or late instance by following owners and parents.
///
/// An overdue or late instance is a victim if its holders lead to another such instance. Its culprit is the last one on
/// that path. If the path ends in a cycle, the instance with the lowest id stands for the cycle.
///
/// This is Robert Tarjan's algorithm for strongly connected components. It is iterative, so a tree may have any depth.
/// It visits each instance once, even if culprits of many instances are requested.
struct CulpritSearch {
    private struct Visit {
        let id: InstanceID
        let order: Int
        let holders: [InstanceID]
        var nextHolder = 0
        // The order of the earliest visit that is reachable from this one.
        var low: Int
    }

    private let holders: (InstanceID) -> [InstanceID]
    private let isSuspect: (InstanceID) -> Bool
    /// The finished instances: the culprit at the end of the path from each, or `nil` if the path has none.
    private var settled: [InstanceID: InstanceID?] = [:]

    private var visits: [Visit] = []
    private var unsettled: [InstanceID] = []
    private var orders: [InstanceID: Int] = [:]
    // For unfinished instances: a culprit outside the instance's own cycle.
    private var outside: [InstanceID: InstanceID] = [:]

    /// Creates a search.
    ///
    /// - Parameters:
    ///   - holders: Returns the possible holders of an instance: its owner and its parent, if it has them.
    ///   - isSuspect: Returns whether an instance is overdue or late.
    init(holders: @escaping (InstanceID) -> [InstanceID], isSuspect: @escaping (InstanceID) -> Bool) {
        self.holders = holders
        self.isSuspect = isSuspect
    }

    /// Returns the culprit of an overdue or late instance: the instance itself if it is not a victim.
    mutating func culprit(of suspect: InstanceID) -> InstanceID {
        if settled[suspect] == nil {
            // Most instances have no declared holder.
            if holders(suspect).isEmpty { return suspect }
            follow(suspect)
        }
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
                // The loop returns to this holder after following it. By then the holder is settled or part of this
                // cycle.
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
