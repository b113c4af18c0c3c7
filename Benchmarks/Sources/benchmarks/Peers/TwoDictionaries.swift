/// A naive tracer: one mutex with two dictionaries, for live counts by type and for a record of each object.
final class TwoDictionaries: Sendable {
    static let shared = TwoDictionaries()

    private struct Record {
        let type: ObjectIdentifier
        let bornAt: UInt64
    }

    private struct Tables {
        var counts: [ObjectIdentifier: Int] = [:]
        var records: [UInt64: Record] = [:]
        var lastID: UInt64 = 0
    }

    private let tables = Guarded(Tables())

    func birth(of type: AnyClass) -> UInt64 {
        tables.withLock { tables in
            tables.lastID += 1
            tables.counts[ObjectIdentifier(type), default: 0] += 1
            tables.records[tables.lastID] = Record(type: ObjectIdentifier(type), bornAt: Stopwatch.now())
            return tables.lastID
        }
    }

    func death(of id: UInt64) {
        tables.withLock { tables in
            guard let record = tables.records.removeValue(forKey: id) else { return }
            tables.counts[record.type, default: 0] -= 1
        }
    }
}

/// The class with two Int fields, recorded in these dictionaries.
final class DictionaryPair: Subject {
    private let id: UInt64
    var first: Int
    var second: Int

    init(_ value: Int) {
        first = value
        second = ~value
        id = TwoDictionaries.shared.birth(of: DictionaryPair.self)
    }

    deinit {
        TwoDictionaries.shared.death(of: id)
    }

    @inline(never)
    static func make(_ value: Int) -> DictionaryPair { DictionaryPair(value) }
}
