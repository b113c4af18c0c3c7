#if os(Linux) && arch(x86_64) && canImport(Glibc)
import CRetainPaths
import LifetimeTracer
import TracerBase

/// The facts about the loaded objects that a search needs: where variables are, and which of them hold no references.
struct ProcessImage: Sendable {
    /// The writable parts of all loaded objects.
    let data: [rp_image_data]
    /// Ranges within `data` that contain no strong references; sorted, disjoint.
    let excluded: [rp_range]
    /// The variables that are the runtime's tables of metadata.
    let metadataTables: [rp_range]
    /// The number of words in `excluded`.
    let excludedWords: Int
    /// Ranges within `data` with the C variables of libraries that are mostly Swift; sorted, disjoint.
    let system: [rp_range]
    /// Swift variables whose symbols include their types; sorted, disjoint.
    let variables: [rp_range]
    /// Ranges within `data` that contain variables with symbols; sorted, disjoint.
    let named: [rp_range]
    /// Variables of C libraries that list pending work.
    let pending: [rp_pending_work]
    /// The class of C blocks (closures) on the heap; 0 if it is not known.
    let heapBlockClass: UInt
    /// The C library's writable part, which contains malloc's state.
    let allocatorData: rp_range
    /// The machine code of the agent; empty in a program that links the tracer.
    let agentCode: [rp_range]
    /// The variables of the loaded objects.
    private let places: [VariablePlaces]

    /// The ranges of malloc memory that the image takes; valid as long as the image exists.
    var memory: [Range<UInt>] {
        [data.memory, pending.memory].compactMap(\.self)
            + [excluded, metadataTables, system, variables, named, agentCode].compactMap(\.memory)
            + places.flatMap(\.memory)
    }

    /// The image of the process at this moment.
    ///
    /// It is cached until an object is loaded or unloaded.
    ///
    /// - Throws: ``RetainPathsError`` if the process has run out of descriptors or memory. Without symbols, variables
    ///   that hold no references would count as roots.
    static func current() throws(RetainPathsError) -> ProcessImage {
        do {
            return try cache.withLock { cache throws(SymbolShortage) in try cache.current() }
        } catch {
            throw .failed(reason: "the symbols of the program cannot be read. \(error)")
        }
    }

    private static let cache = Locked(Cache())

    private struct Cache: LockedState {
        var generation: LoadedVariables.Generation?
        var image: ProcessImage?
        /// The objects whose symbols were read.
        var known: [Known] = []

        mutating func current() throws(SymbolShortage) -> ProcessImage {
            let generation = LoadedVariables.Generation.current
            if let image, generation == self.generation { return image }
            let objects = LoadedVariables.ofAllObjects()
            let former = known
            known = try objects.map { object throws(SymbolShortage) in
                if let same = former.first(where: { $0.object.isSame(as: object) }) { return same }
                let places = try VariablePlaces(of: object, isMixed: ProcessImage.isMixed)
                return Known(object: object, places: places)
            }
            let image = ProcessImage(known)
            self.image = image
            self.generation = generation
            return image
        }
    }

    /// A loaded object and the results of reading its symbols.
    private struct Known: Sendable {
        let object: LoadedVariables
        let places: VariablePlaces
    }

    private init(_ objects: [Known]) {
        places = objects.map(\.places)
        data = objects.flatMap { known in
            known.object.writable.map { range in
                rp_image_data(
                    range: rp_range(start: range.lowerBound, end: range.upperBound),
                    is_of_system: Self.isOfSystem(known.object.path), has_system_parts: !known.places.system.isEmpty,
                    is_of_tracer: AgentImage.contains(known.object))
            }
        }
        agentCode = objects.map(\.object).filter(AgentImage.contains).flatMap(\.code).map {
            rp_range(start: $0.lowerBound, end: $0.upperBound)
        }
        excluded = Self.merged(objects.flatMap(\.places.excluded) + [LifetimeRegistry.ownTable])
        metadataTables = objects.flatMap(\.places.metadataTables).map {
            rp_range(start: $0.lowerBound, end: $0.upperBound)
        }
        excludedWords = VariablePlaces.words(in: excluded.map { $0.start..<$0.end })
        system = Self.merged(objects.flatMap(\.places.system))
        variables = Self.disjoint(objects.flatMap(\.places.typed))
        named = Self.merged(objects.flatMap(\.places.named))
        pending = objects.flatMap(\.places.pending)
        heapBlockClass = objects.lazy.compactMap(\.places.heapBlockClass).first ?? 0
        let library = objects.first { Self.isCLibrary($0.object.path) }
        let range = library?.object.writable.first
        allocatorData = rp_range(start: range?.lowerBound ?? 0, end: range?.upperBound ?? 0)
    }

    private static func merged(_ ranges: [Range<UInt>]) -> [rp_range] {
        var merged: [rp_range] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.end {
                merged[merged.count - 1].end = max(last.end, range.upperBound)
            } else {
                merged.append(rp_range(start: range.lowerBound, end: range.upperBound))
            }
        }
        return merged
    }

    /// The ranges that do not overlap with another range.
    ///
    /// Memory that two symbols claim has no certain type.
    private static func disjoint(_ ranges: [Range<UInt>]) -> [rp_range] {
        let sorted = ranges.sorted { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }
        var end: UInt = 0
        return sorted.indices.compactMap { index in
            let range = sorted[index]
            let isApart = range.lowerBound >= end
            end = max(end, range.upperBound)
            let next = index + 1 < sorted.count ? sorted[index + 1].lowerBound : .max
            return isApart && next >= range.upperBound ? rp_range(start: range.lowerBound, end: range.upperBound) : nil
        }
    }

    /// Whether a path is that of a Swift library around a C library: Foundation.
    private static func isMixed(_ path: String) -> Bool {
        (path.split(separator: "/").last ?? "").hasPrefix("libFoundation")
    }

    /// Calls a body with a request that contains these facts.
    ///
    /// The request's pointers are valid during the call only.
    func withRequest<Result>(_ body: (rp_request) throws -> Result) rethrows -> Result {
        var request = rp_request()
        request.heap_block_class = heapBlockClass
        request.allocator_data = allocatorData
        return try data.withUnsafeBufferPointer { data in
            request.image_data = data.baseAddress
            request.image_data_count = UInt32(data.count)
            return try excluded.withUnsafeBufferPointer { excluded in
                request.excluded = excluded.baseAddress
                request.excluded_count = UInt32(excluded.count)
                return try metadataTables.withUnsafeBufferPointer { tables in
                    request.metadata_tables = tables.baseAddress
                    request.metadata_table_count = UInt32(tables.count)
                    return try withVariables(in: request, body)
                }
            }
        }
    }

    /// Calls a body with the request and the places of variables.
    private func withVariables<Result>(
        in facts: rp_request, _ body: (rp_request) throws -> Result
    ) rethrows -> Result {
        var request = facts
        return try system.withUnsafeBufferPointer { system in
            request.system = system.baseAddress
            request.system_count = UInt32(system.count)
            return try variables.withUnsafeBufferPointer { variables in
                request.variables = variables.baseAddress
                request.variable_count = UInt32(variables.count)
                return try named.withUnsafeBufferPointer { named in
                    request.named = named.baseAddress
                    request.named_count = UInt32(named.count)
                    return try pending.withUnsafeBufferPointer { pending in
                        request.pending = pending.baseAddress
                        request.pending_count = UInt32(pending.count)
                        return try agentCode.withUnsafeBufferPointer { code in
                            request.tracer_code = code.baseAddress
                            request.tracer_code_count = UInt32(code.count)
                            return try body(request)
                        }
                    }
                }
            }
        }
    }

    /// Whether a path is that of a C or C++ library below Swift's libraries.
    ///
    /// The variables of these libraries keep references to finished work for a while.
    private static func isOfSystem(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return isCLibrary(path)
            || [
                "libdispatch.", "libBlocksRuntime.", "libswift_Concurrency.", "libstdc++.", "ld-linux", "libcrypto.",
                "libssl.",
            ]
            .contains { name.hasPrefix($0) }
    }

    /// Whether a path is that of glibc: "libc.so.6", in old releases "libc-2.31.so".
    static func isCLibrary(_ path: String) -> Bool {
        let name = path.split(separator: "/").last ?? ""
        return name.hasPrefix("libc.so.") || name.hasPrefix("libc-")
    }
}
#endif
