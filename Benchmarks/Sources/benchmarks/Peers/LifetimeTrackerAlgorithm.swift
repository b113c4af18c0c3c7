/// The algorithm of LifetimeTracker: a lock, the type's name as a string, and a dictionary entry at every init.
///
/// A new implementation of the published algorithm. At init, the type's name and the address become strings. An object
/// is attached whose death reports the tracked object's death. The group and the entry are looked up by name and
/// written back.
final class LifetimeTrackerAlgorithm: Sendable {
    static let shared = LifetimeTrackerAlgorithm()

    // LifetimeTracker uses classes here, too. Copying a set of addresses at every change would make the peer unfairly
    // slow.
    private final class Entry {
        var count = 0
        var addresses: Set<String> = []
    }

    private final class Group {
        var count = 0
        var entries: [String: Entry] = [:]
    }

    private let groups = Guarded<[String: Group]>([:])

    /// An object that is attached to a tracked object and released with it.
    final class DeathNotice {
        private let tell: () -> Void

        init(_ tell: @escaping () -> Void) { self.tell = tell }

        deinit { tell() }
    }

    func track(_ object: AnyObject) -> DeathNotice {
        let name = String(reflecting: type(of: object))
        let address = "\(Unmanaged.passUnretained(object).toOpaque())"
        update(name, address, by: 1)
        return DeathNotice { self.update(name, address, by: -1) }
    }

    private func update(_ name: String, _ address: String, by change: Int) {
        groups.withLock { groups in
            let group = groups["ungrouped"] ?? Group()
            let entry = group.entries[name] ?? Entry()
            group.count += change
            entry.count += change
            if change > 0 { entry.addresses.insert(address) } else { entry.addresses.remove(address) }
            group.entries[name] = entry
            groups["ungrouped"] = group
        }
    }
}

/// The class with two Int fields, tracked by this algorithm.
final class TrackedPair: Subject {
    var first: Int
    var second: Int
    private var deathNotice: LifetimeTrackerAlgorithm.DeathNotice?

    init(_ value: Int) {
        first = value
        second = ~value
        deathNotice = LifetimeTrackerAlgorithm.shared.track(self)
    }

    @inline(never)
    static func make(_ value: Int) -> TrackedPair { TrackedPair(value) }
}
