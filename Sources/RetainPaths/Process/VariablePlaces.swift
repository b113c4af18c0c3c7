#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import LifetimeTracer
import TracerBase

/// The places of a loaded object's variables, as far as its symbols matter to a search.
struct VariablePlaces: Sendable {
    /// Memory that contains no strong references.
    let excluded: [Range<UInt>]
    /// The variables that are the runtime's tables of metadata.
    let metadataTables: [Range<UInt>]
    /// The number of words in `excluded`, and the reasons for which further words are not excluded.
    let exclusions: Exclusions
    /// C variables of a library that is mostly Swift, and variables of libdispatch and of Swift's runtime, which may be
    /// linked into the program.
    let system: [Range<UInt>]
    /// Swift variables whose symbols include their types.
    let typed: [Range<UInt>]
    /// Variables with symbols of Swift or of Swift's libraries, except those in `excluded`; sorted, disjoint.
    ///
    /// The symbol of a variable of C does not say whether the variable owns the objects to which it refers. Nor does
    /// the symbol of a struct, if the program does not contain the struct's metadata, or that of a part of a struct.
    let named: [Range<UInt>]
    /// C variables that list pending work.
    let pending: [rp_pending_work]
    /// The address of the class of C blocks (closures) on the heap.
    let heapBlockClass: UInt?

    /// The ranges of malloc memory that the places take.
    var memory: [Range<UInt>] { [excluded, metadataTables, system, typed, named].compactMap(\.memory) }

    /// Counts of the words in symbols of metadata and of variables that hold no references.
    struct Exclusions: Hashable, Sendable, CustomStringConvertible {
        /// The words within the sizes of those symbols.
        var claimed = 0
        /// Of the claimed words, those behind the end of the metadata that contains an alias.
        ///
        /// The alias's symbol has the size of the whole metadata.
        var behindMetadata = 0
        /// Of the claimed words, those in a variable that has a symbol of its own.
        var ofOtherVariables = 0
        /// The remaining words, which contain no references.
        var excluded: Int { claimed - behindMetadata - ofOtherVariables }

        var description: String {
            "\(excluded) of \(claimed) words excluded: \(behindMetadata) are behind the metadata of an alias, "
                + "\(ofOtherVariables) in variables with their own symbols"
        }
    }

    /// Reads all symbols of the object's file.
    init(of object: LoadedVariables, isMixed: (String) -> Bool) throws(SymbolShortage) {
        let isInRuntime = object.path.hasSuffix("/libswiftCore.so")
        // The runtime's pool of metadata tells where the runtime is: in a static program, in the program itself.
        let pool = rp_learn_process_facts().metadata_pool
        let isBesideRuntime = !isInRuntime && object.writable.contains { $0.contains(pool) }
        let variables = try object.writableVariables {
            VariableNames.kind(of: $0, isInRuntime: isInRuntime, isBesideRuntime: isBesideRuntime)
        }
        self.init(variables, isMixed: isMixed(object.path))
    }

    init(_ variables: [(range: Range<UInt>, kind: VariableNames.Kind)], isMixed: Bool) {
        var nothing: [Range<UInt>] = []
        var tables: [Range<UInt>] = []
        var named: [Range<UInt>] = []
        var others: [Range<UInt>] = []
        var system: [Range<UInt>] = []
        var typed: [Range<UInt>] = []
        var pending: [rp_pending_work] = []
        var heapBlockClass: UInt?
        for (range, kind) in variables {
            switch kind {
            case .nothing:
                nothing.append(range)
                continue
            case .metadataTable:
                nothing.append(range)
                tables.append(range)
                continue
            case .ofSwift: break
            case .typed: typed.append(range)
            case .typedValue:
                typed.append(range)
                // A struct of a single word is a wrapper around one reference.
                guard range.count > wordSize else { break }
                others.append(range)
                continue
            case .ofC, .partOfValue:
                if kind == .ofC, isMixed { system.append(range) }
                others.append(range)
                continue
            case .ofDispatch, .ofRuntime: system.append(range)
            case .pendingWork(let isInTransit):
                let words = rp_range(start: range.lowerBound, end: range.upperBound)
                pending.append(rp_pending_work(range: words, is_in_transit: isInTransit))
            case .heapBlockClass: heapBlockClass = range.lowerBound
            }
            named.append(range)
        }
        self.system = system
        self.typed = typed
        self.pending = pending
        self.heapBlockClass = heapBlockClass
        let certain = Self.withinOuters(nothing)
        self.named = Self.union(of: named)
        excluded = nothing.isEmpty ? [] : Self.removing(Self.union(of: named + others), from: certain)
        metadataTables = tables
        let (claimed, left) = (Self.words(in: Self.sorted(nothing)), Self.words(in: certain))
        exclusions = Exclusions(
            claimed: claimed, behindMetadata: claimed - left, ofOtherVariables: left - Self.words(in: excluded))
    }

    /// The number of words that ranges cover, whole or in part.
    ///
    /// The ranges are sorted by their starts and may overlap.
    static func words(in ranges: [Range<UInt>]) -> Int {
        var end: UInt = 0
        return ranges.reduce(0) { count, range in
            let start = max(range.lowerBound / UInt(wordSize), end)
            end = max(end, (range.upperBound + UInt(wordSize) - 1) / UInt(wordSize))
            return count + (end > start ? Int(end - start) : 0)
        }
    }

    /// The ranges in order, each cut at the end of the range in which it begins.
    ///
    /// The symbol of a class is an alias inside the class's metadata, but has the size of the whole metadata.
    static func withinOuters(_ ranges: [Range<UInt>]) -> [Range<UInt>] {
        var outer: (start: UInt, end: UInt) = (0, 0)
        return sorted(ranges).map { range in
            guard outer.start < range.lowerBound, range.lowerBound < outer.end else {
                outer = (range.lowerBound, range.upperBound)
                return range
            }
            return range.lowerBound..<min(range.upperBound, outer.end)
        }
    }

    /// The memory that ranges cover, as sorted ranges with gaps between them.
    static func union(of ranges: [Range<UInt>]) -> [Range<UInt>] {
        var union: [Range<UInt>] = []
        for range in sorted(ranges) {
            if let last = union.last, range.lowerBound <= last.upperBound {
                if range.upperBound > last.upperBound { union[union.count - 1] = last.lowerBound..<range.upperBound }
            } else {
                union.append(range)
            }
        }
        return union
    }

    /// The parts of sorted ranges that `gaps` do not cover.
    ///
    /// The size of a symbol proves nothing about the variable of another symbol.
    ///
    /// - Parameter gaps: Sorted ranges with gaps between them.
    static func removing(_ gaps: [Range<UInt>], from ranges: [Range<UInt>]) -> [Range<UInt>] {
        var left: [Range<UInt>] = []
        var first = 0
        for range in ranges {
            // Later ranges begin no earlier, so these gaps are no longer needed.
            while first < gaps.count, gaps[first].upperBound <= range.lowerBound { first += 1 }
            var start = range.lowerBound
            var gap = first
            while gap < gaps.count, gaps[gap].lowerBound < range.upperBound {
                if gaps[gap].lowerBound > start { left.append(start..<gaps[gap].lowerBound) }
                start = max(start, gaps[gap].upperBound)
                gap += 1
            }
            if start < range.upperBound { left.append(start..<range.upperBound) }
        }
        return left
    }

    private static func sorted(_ ranges: [Range<UInt>]) -> [Range<UInt>] {
        // Symbols are nearly in order, which makes sorting fast. Of ranges with the same start, the longest comes
        // first.
        ranges.sorted { left, right in
            left.lowerBound == right.lowerBound
                ? left.upperBound > right.upperBound : left.lowerBound < right.lowerBound
        }
    }
}
#endif
