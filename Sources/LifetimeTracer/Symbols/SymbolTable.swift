import TracerBase

/// The symbols of one file, sorted by address.
///
/// Takes 16 bytes a symbol plus the names, copied from the file: no file stays open or mapped.
struct SymbolTable: Sendable {
    /// A symbol as the file stores it.
    struct Raw {
        var start: UInt64
        /// The latest end of the symbol if it has no size of its own.
        var sectionEnd: UInt64
        /// 0 if the file does not give the size; never so large that the end overflows.
        var size: UInt64
        /// The position in the names.
        var name: UInt32
        /// Among symbols with the same address, the one with the lowest rank gives the name.
        var rank: UInt32
    }

    private struct Entry {
        let start: UInt64
        let size: UInt32
        let name: UInt32
    }

    /// How many preceding symbols are searched for one that extends over the address.
    private static let nesting = 8

    /// The longest name; longer ones are cut, because a damaged file may have a name without an end.
    private static let longestName = 65_536

    private let entries: [Entry]
    private let names: [UInt8]

    /// The memory that the table takes, in bytes.
    var bytes: Int { entries.count * MemoryLayout<Entry>.stride + names.count }
    var count: Int { entries.count }

    /// The ranges of malloc memory that the table takes.
    var memory: [Range<UInt>] { [entries.memory, names.memory].compactMap(\.self) }

    /// Sorts symbols into a table.
    ///
    /// - Parameter names: The names, each terminated by a zero byte. The symbols' positions in them may be wrong.
    init(_ symbols: consuming [Raw], names: [UInt8]) {
        symbols.sort { left, right in
            if left.start != right.start { return left.start < right.start }
            return left.rank != right.rank ? left.rank < right.rank : left.name < right.name
        }
        var entries: [Entry] = []
        entries.reserveCapacity(symbols.count)
        var coveredUntil: UInt64 = 0
        for position in symbols.indices {
            let symbol = symbols[position]
            if let last = entries.last, last.start == symbol.start { continue }
            var size = symbol.size
            if size == 0 {
                // A label inside a function does not end the function.
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

    /// Returns the name and start of the symbol that contains an address of the file.
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
