/// The symbols of one file, sorted by address.
///
/// Takes 16 bytes a symbol and the bytes of the names, copied from the file: nothing stays open or mapped.
struct SymbolTable: Sendable {
    /// A symbol as the file has it.
    struct Raw {
        var start: UInt64
        /// Where the symbol ends at the latest, if it has no size of its own.
        var sectionEnd: UInt64
        /// 0 where the file does not say; never so large that the end is no address.
        var size: UInt64
        /// The position in the names.
        var name: UInt32
        /// Among symbols with one address that with the lowest rank gives the name.
        var rank: UInt32
    }

    private struct Entry {
        let start: UInt64
        let size: UInt32
        let name: UInt32
    }

    /// How far back a symbol is looked for that reaches over those behind it.
    private static let nesting = 8

    /// Longer names are cut: a damaged file may have one without an end.
    private static let longestName = 65_536

    private let entries: [Entry]
    private let names: [UInt8]

    /// How much memory the table takes.
    var bytes: Int { entries.count * MemoryLayout<Entry>.stride + names.count }
    var count: Int { entries.count }

    /// Sorts symbols.
    ///
    /// - Parameter names: Names that end with a zero byte; a symbol's position in them need not be right.
    init(_ symbols: consuming [Raw], names: [UInt8]) {
        symbols.sort { ($0.start, $0.rank, $0.name) < ($1.start, $1.rank, $1.name) }
        var entries: [Entry] = []
        entries.reserveCapacity(symbols.count)
        var coveredUntil: UInt64 = 0
        for position in symbols.indices {
            let symbol = symbols[position]
            if let last = entries.last, last.start == symbol.start { continue }
            var size = symbol.size
            if size == 0 {
                // A label inside a function does not end it.
                guard symbol.start >= coveredUntil, symbol.sectionEnd > symbol.start else { continue }
                size = symbol.sectionEnd - symbol.start
                if let next = symbols[position...].first(where: { $0.start > symbol.start }) {
                    size = min(size, next.start - symbol.start)
                }
            } else {
                coveredUntil = max(coveredUntil, symbol.start + size)
            }
            entries.append(Entry(start: symbol.start, size: UInt32(clamping: size), name: symbol.name))
        }
        self.entries = entries
        self.names = names
    }

    /// The symbol that an address of the file is in: its name and where it starts.
    func find(_ address: UInt64) -> (name: String, start: UInt64)? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].start <= address { low = middle + 1 } else { high = middle }
        }
        for entry in entries[..<low].suffix(Self.nesting).reversed()
        where address - entry.start < UInt64(entry.size) {
            guard let name = name(at: entry.name) else { return nil }
            return (name, entry.start)
        }
        return nil
    }

    private func name(at position: UInt32) -> String? {
        guard position < names.count else { return nil }
        let name = names[Int(position)...].prefix(Self.longestName).prefix { $0 != 0 }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }
}
