import CLifetimeRuntime

extension InstanceStore {
    /// A remembered death.
    struct Death: Sendable {
        let id: InstanceID
        let type: TypeName
        let bornAt: MonotonicTime
        let diedAt: MonotonicTime
    }

    /// A remembered death as it is recorded; a death has no time for names and for reading two clocks.
    struct RecordedDeath {
        let id: InstanceID
        let type: TypeIndex
        /// The time of birth in the encoding of the record.
        let birth: UInt64
        let diedAt: MonotonicTime
    }

    /// Returns the death of an instance, while it is remembered.
    func death(of id: InstanceID) -> Death? {
        deaths.withLock { $0.last { $0.id == id } }.flatMap { described([$0]).first }
    }

    /// The remembered deaths, oldest first, and the number of forgotten ones.
    func rememberedDeaths() -> (deaths: [Death], dropped: Int) {
        let (recorded, dropped) = deaths.withLock { ($0.elements, $0.dropped) }
        return (described(recorded), dropped)
    }

    private func described(_ recorded: [RecordedDeath]) -> [Death] {
        let times = timebase.translation(asOf: clock.now())
        let names = catalog.withLock { $0.types.entries }.map(\.name)
        return recorded.map { death in
            let bornAt = min(times.time(death.birth), death.diedAt)
            return Death(id: death.id, type: names[Int(death.type.rawValue)], bornAt: bornAt, diedAt: death.diedAt)
        }
    }
}
