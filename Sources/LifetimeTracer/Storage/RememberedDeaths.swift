import CLifetimeRuntime

extension InstanceStore {
    /// A remembered death.
    struct Death: Sendable {
        let id: InstanceID
        let type: TypeName
        let bornAt: MonotonicTime
        let diedAt: MonotonicTime
    }

    /// The bit of a remembered time of death that says that the rest are nanoseconds of the registry's clock.
    static let isExact: UInt64 = 1 << 63

    /// Remembers a death; leaves names and the conversion of times to the reader.
    ///
    /// - Parameter diedAt: The time as in records, or ``isExact`` and the nanoseconds if the clock was read anyway.
    func remember(_ record: lt_record, _ slot: UInt32, diedAt: UInt64) {
        lt_remember_death(
            core.pointer,
            lt_death_entry(
                id: record.word0 & LT_ID_MASK, type: UInt64(lt_type_at(slot).position),
                born_at: record.word1 >> UInt64(LT_CONTEXT_BITS), died_at: diedAt))
    }

    /// Returns the death of an instance, while it is remembered.
    func death(of id: InstanceID) -> Death? {
        var found = lt_death_entry()
        return lt_find_death(core.pointer, id.rawValue, &found) ? described([found]).first : nil
    }

    /// The remembered deaths, oldest first, and the number of forgotten ones.
    func rememberedDeaths() -> (deaths: [Death], dropped: Int) {
        var dropped: UInt64 = 0
        let room = lt_death_count(core.pointer)
        let recorded = [lt_death_entry](unsafeUninitializedCapacity: room) { buffer, count in
            count = lt_copy_deaths(core.pointer, buffer.baseAddress, room, &dropped)
        }
        return (described(recorded), Int(dropped))
    }

    private func described(_ recorded: [lt_death_entry]) -> [Death] {
        let times = timebase.translation(asOf: clock.now())
        let names = catalog.withLock { $0.types.entries }.map(\.name)
        return recorded.map { death in
            let isExact = death.died_at & Self.isExact != 0
            let diedAt =
                isExact
                ? MonotonicTime(nanoseconds: death.died_at & ~Self.isExact) : times.timeRead(death.died_at)
            return Death(
                id: InstanceID(rawValue: death.id), type: names[Int(death.type)],
                bornAt: min(times.time(death.born_at), diedAt), diedAt: diedAt)
        }
    }
}
