#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import LifetimeTracer

/// Where in a loaded object are variables of which its symbols say something to a search.
struct VariablePlaces: Sendable {
    /// Memory in which nothing is a strong reference.
    let excluded: [Range<UInt>]
    /// How many words that is, and why it is not more.
    let exclusions: Exclusions
    /// Variables of C in a library that is mostly Swift, or of libdispatch where it is linked into the program.
    let system: [Range<UInt>]
    /// Variables of Swift whose symbols tell their types.
    let typed: [Range<UInt>]
    /// Variables of C that say what is still to be done.
    let pending: [rp_pending_work]
    /// Where the class of C's blocks in the heap is.
    let heapBlockClass: UInt?

    /// What became of the words that belong to symbols of metadata and of variables which hold nothing.
    struct Exclusions: Hashable, Sendable, CustomStringConvertible {
        /// Words within the sizes of those symbols.
        var claimed = 0
        /// Of these: behind the end of the metadata that an alias is in, which has the size of all of it.
        var behindMetadata = 0
        /// Of these: in a variable that another symbol tells.
        var ofOtherVariables = 0
        /// Those that are left: nothing in them is a reference.
        var excluded: Int { claimed - behindMetadata - ofOtherVariables }

        var description: String {
            "\(excluded) words excluded of \(claimed): \(behindMetadata) are behind the metadata that an alias is in, "
                + "\(ofOtherVariables) in variables with symbols of their own"
        }
    }

    /// Reads all symbols of the object's file.
    init(of object: LoadedVariables, isMixed: (String) -> Bool) throws(SymbolShortage) {
        let isInRuntime = object.path.hasSuffix("/libswiftCore.so")
        let variables = try object.writableVariables { VariableNames.kind(of: $0, isInRuntime: isInRuntime) }
        self.init(variables, isMixed: isMixed(object.path))
    }

    init(_ variables: [(range: Range<UInt>, kind: VariableNames.Kind)], isMixed: Bool) {
        var nothing: [Range<UInt>] = []
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
            case .ofSwift: break
            case .typed: typed.append(range)
            case .ofC: if isMixed { system.append(range) }
            case .ofDispatch: system.append(range)
            case .pendingWork(let isInTransit):
                let words = rp_range(start: range.lowerBound, end: range.upperBound)
                pending.append(rp_pending_work(range: words, is_in_transit: isInTransit))
            case .heapBlockClass: heapBlockClass = range.lowerBound
            }
            others.append(range)
        }
        self.system = system
        self.typed = typed
        self.pending = pending
        self.heapBlockClass = heapBlockClass
        let certain = Self.withinOuters(nothing)
        excluded = nothing.isEmpty ? [] : Self.removing(others, from: certain)
        let (claimed, left) = (Self.words(in: Self.sorted(nothing)), Self.words(in: certain))
        exclusions = Exclusions(
            claimed: claimed, behindMetadata: claimed - left, ofOtherVariables: left - Self.words(in: excluded))
    }

    /// How many words, whole or in part, are in ranges that are in the order of their starts, and may overlap.
    static func words(in ranges: [Range<UInt>]) -> Int {
        var end: UInt = 0
        return ranges.reduce(0) { count, range in
            let start = max(range.lowerBound / UInt(wordSize), end)
            end = max(end, (range.upperBound + UInt(wordSize) - 1) / UInt(wordSize))
            return count + (end > start ? Int(end - start) : 0)
        }
    }

    /// The same ranges in order, none of which reaches beyond the end of one that it begins in: the symbol of a class is an alias inside
    /// its metadata, but has the size of all of it.
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

    /// What is left of ranges, which are in order, without others: the size of a symbol proves nothing of another symbol's variable.
    static func removing(_ others: [Range<UInt>], from ranges: [Range<UInt>]) -> [Range<UInt>] {
        var gaps: [Range<UInt>] = []
        for range in sorted(others) {
            if let last = gaps.last, range.lowerBound <= last.upperBound {
                if range.upperBound > last.upperBound { gaps[gaps.count - 1] = last.lowerBound..<range.upperBound }
            } else {
                gaps.append(range)
            }
        }
        var left: [Range<UInt>] = []
        var first = 0
        for range in ranges {
            // Later ranges begin no earlier.
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
        // Symbols come nearly in order, which sorting makes use of; of ranges with one start the longest comes first.
        ranges.sorted { left, right in
            left.lowerBound == right.lowerBound
                ? left.upperBound > right.upperBound : left.lowerBound < right.lowerBound
        }
    }
}
#endif
