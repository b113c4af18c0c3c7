/// The narrow face of the registry's storage: who was born, who died, who is live.
///
/// All that the rest of the core knows of storage are the methods here, so that the storage can be replaced without touching
/// anything else. Today: one lock, one dictionary. ``cut()`` shares the dictionary, so the first birth or death while a
/// snapshot is being built copies it, at a cost in proportion to the live instances.
final class InstanceStore: Sendable {
    /// How much is kept.
    struct Limits: Sendable {
        /// Live instances that are listed; more are counted only.
        var instances = 4_000_000
        /// Types with an entry of their own.
        var types = 65_536
        /// Deaths that are remembered, to answer "it died at …".
        var rememberedDeaths = 4096
    }

    /// What is kept of a live instance.
    struct Record: Sendable {
        let type: TypeIndex
        let site: SourceSite
        let bornAt: MonotonicTime
        /// Whether somebody wants to hear of the death.
        var isWatched = false
    }

    /// What is remembered of an instance that has gone.
    struct Death: Sendable {
        let id: InstanceID
        let type: TypeName
        let bornAt: MonotonicTime
        let diedAt: MonotonicTime
    }

    /// All instances and all counters at one instant.
    struct Cut: Sendable {
        let instances: [InstanceID: Record]
        let counters: Counters

        var at: MonotonicTime { counters.at }
    }

    /// The counters at one instant.
    struct Counters: Sendable {
        let at: MonotonicTime
        var born: UInt64 = 0
        var died: UInt64 = 0
        var peak: UInt64 = 0
        var types: [TypeTable.Entry] = []
        /// Live instances that are counted but not listed.
        var unlisted: UInt64 = 0
        var unlistedEver: UInt64 = 0
        var droppedTypes: UInt64 = 0
        var lastID = InstanceID(rawValue: 0)

        var live: UInt64 { born - died }
    }

    private struct State: Sendable {
        var types: TypeTable
        var live: [InstanceID: Record] = [:]
        var born: UInt64 = 0
        var died: UInt64 = 0
        var peak: UInt64 = 0
        var unlisted: UInt64 = 0
        var unlistedEver: UInt64 = 0
        var deaths: Ring<Death>

        func counters(at time: MonotonicTime) -> Counters {
            Counters(
                at: time, born: born, died: died, peak: peak, types: types.entries, unlisted: unlisted,
                unlistedEver: unlistedEver,
                droppedTypes: types.dropped, lastID: InstanceID(rawValue: born))
        }
    }

    /// How much is kept.
    let limits: Limits
    private let clock: any TracerClock
    private let state: Locked<State>

    init(clock: any TracerClock, limits: Limits = Limits()) {
        self.clock = clock
        self.limits = limits
        state = Locked(State(types: TypeTable(limit: limits.types), deaths: Ring(limit: limits.rememberedDeaths)))
    }

    /// Records a birth and gives the instance its id.
    func recordBirth(of type: Any.Type, at site: SourceSite) -> (id: InstanceID, type: TypeIndex) {
        state.withLock { state in
            let index = state.types.index(of: type)
            state.types.countBirth(index)
            state.born += 1
            state.peak = max(state.peak, state.born - state.died)
            // Ids rise with births, so the number of births so far is the next id.
            let id = InstanceID(rawValue: state.born)
            if state.live.count < limits.instances {
                state.live[id] = Record(type: index, site: site, bornAt: clock.now())
            } else {
                state.unlisted += 1
                state.unlistedEver += 1
            }
            return (id, index)
        }
    }

    /// Records a death.
    ///
    /// - Returns: When it died, if somebody wanted to hear of it; else `nil`.
    func recordDeath(of id: InstanceID, type: TypeIndex) -> MonotonicTime? {
        state.withLock { state in
            state.types.countDeath(type)
            state.died += 1
            guard let record = state.live.removeValue(forKey: id) else {
                state.unlisted -= 1
                return nil
            }
            let now = clock.now()
            let name = state.types.entries[Int(type.rawValue)].name
            state.deaths.append(Death(id: id, type: name, bornAt: record.bornAt, diedAt: now))
            return record.isWatched ? now : nil
        }
    }

    /// Asks to be told of a death.
    ///
    /// - Returns: Whether the instance is live and listed; when not, nothing will be told.
    func watch(_ id: InstanceID) -> Bool {
        state.withLock {
            $0.live[id]?.isWatched = true
            return $0.live[id] != nil
        }
    }

    /// Whether the instance is live.
    ///
    /// Instances past the limit, which are not listed, count as not live.
    func isLive(_ id: InstanceID) -> Bool {
        state.withLock { $0.live[id] != nil }
    }

    /// Whether the instance has certainly died.
    ///
    /// While there are instances past the limit nothing is certain of those that are not listed.
    func hasDied(_ id: InstanceID) -> Bool {
        state.withLock { $0.live[id] == nil && $0.unlisted == 0 }
    }

    /// The type of a live instance.
    func typeName(of id: InstanceID) -> TypeName? {
        state.withLock { state in state.live[id].map { state.types.entries[Int($0.type.rawValue)].name } }
    }

    /// The type and the creation site of a live instance.
    func typeAndSite(of id: InstanceID) -> (TypeName, SourceSite)? {
        state.withLock { state in
            state.live[id].map { (state.types.entries[Int($0.type.rawValue)].name, $0.site) }
        }
    }

    /// The death of an instance, while it is remembered.
    func death(of id: InstanceID) -> Death? {
        state.withLock { $0.deaths.last { $0.id == id } }
    }

    /// Whether the id has been given to an instance, live or not.
    func wasBorn(_ id: InstanceID) -> Bool {
        state.withLock { (1...max(1, $0.born)).contains(id.rawValue) && $0.born > 0 }
    }

    /// The index of a type, whether or not an instance of it has been born.
    func index(of type: Any.Type) -> TypeIndex {
        state.withLock { $0.types.index(of: type) }
    }

    /// The name of a type of which there has been an instance, a budget or the like.
    func knownName(of type: Any.Type) -> TypeName? {
        state.withLock { $0.types.knownName(of: type) }
    }

    /// The counters alone, at one instant: costs in proportion to the types, not to the instances.
    func counters() -> Counters {
        state.withLock { $0.counters(at: clock.now()) }
    }

    /// All instances and all counters at one instant: what is listed and not listed adds up to what is counted.
    func cut() -> Cut {
        state.withLock { Cut(instances: $0.live, counters: $0.counters(at: clock.now())) }
    }
}
