#if os(Linux) && _pointerBitWidth(_64)
import CTracerSymbols

#if canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The loaded objects at one moment: the program, its libraries, and libraries opened later.
///
/// Works on both glibc and musl, which have `dl_iterate_phdr`; tested with glibc only.
struct LoadedObjects: Sendable {
    /// Changes when an object is loaded or unloaded.
    struct Generation: Sendable, Equatable {
        let loaded: UInt64
        let unloaded: UInt64

        /// The current generation; costs a call of the loader, some tens of nanoseconds.
        static var current: Self {
            let counts = lt_current_load_counts()
            return Self(loaded: counts.loaded, unloaded: counts.unloaded)
        }

        /// Whether this generation is later than another; both numbers only grow.
        func isAfter(_ other: Self) -> Bool {
            loaded > other.loaded || unloaded > other.unloaded
        }

        fileprivate init(loaded: UInt64, unloaded: UInt64) {
            self.loaded = loaded
            self.unloaded = unloaded
        }
    }

    /// The most program headers of one object that are read; linkers create about a dozen.
    private static let headerLimit = 512

    private(set) var generation: Generation
    private(set) var identities: [ObjectIdentity] = []
    /// The number of objects beyond the limit.
    private(set) var unlisted = 0

    /// Lists the objects while the loader's lock is held.
    init(atMost limit: Int) {
        generation = Generation(loaded: 0, unloaded: 0)
        var listing = Listing(limit: limit)
        let counts = withUnsafeMutablePointer(to: &listing) { listing in
            lt_visit_loaded_objects(
                { object, context in
                    // `context` is the listing, which outlives the call below; the visits happen one after the other.
                    context?.assumingMemoryBound(to: Listing.self).pointee.add(object.pointee)
                }, listing)
        }
        identities = listing.identities
        unlisted = listing.unlisted
        generation = Generation(loaded: counts.loaded, unloaded: counts.unloaded)
    }

    private struct Listing {
        let limit: Int
        var identities: [ObjectIdentity] = []
        var unlisted = 0

        mutating func add(_ object: lt_loaded_object) {
            guard identities.count < limit else {
                unlisted += 1
                return
            }
            // The loader keeps the headers mapped during the visit.
            let headers = UnsafeBufferPointer(
                start: object.headers, count: min(object.header_count, LoadedObjects.headerLimit))
            let loads = headers.filter { $0.p_type == UInt32(PT_LOAD) }
            identities.append(
                ObjectIdentity(
                    path: String(cString: object.path), bias: object.bias,
                    programHeaders: [UInt8](UnsafeRawBufferPointer(headers)),
                    buildID: Self.buildID(in: headers, loads: loads, bias: object.bias),
                    segments: loads.compactMap { Self.range(of: $0, size: $0.p_memsz, bias: object.bias) }))
        }

        private static func buildID(
            in headers: UnsafeBufferPointer<Elf64_Phdr>, loads: [Elf64_Phdr], bias: UInt
        ) -> BuildID? {
            for segment in headers where segment.p_type == UInt32(PT_NOTE) {
                // Only a readable part that was loaded from the file is certain to be mapped.
                guard let notes = range(of: segment, size: segment.p_filesz, bias: bias),
                    let start = UnsafeRawPointer(bitPattern: notes.lowerBound),
                    loads.contains(where: {
                        $0.p_flags & UInt32(PF_R) != 0
                            && range(of: $0, size: $0.p_filesz, bias: bias)?.contains(notes) == true
                    })
                else { continue }
                let bytes = UnsafeRawBufferPointer(start: start, count: notes.count)
                if let found = BuildID(inNotes: bytes, alignment: segment.p_align) { return found }
            }
            return nil
        }

        private static func range(of segment: Elf64_Phdr, size: UInt64, bias: UInt) -> Range<UInt>? {
            // The bias of a library that is loaded below its link addresses is negative.
            let start = bias &+ UInt(segment.p_vaddr)
            let (end, overflow) = start.addingReportingOverflow(UInt(size))
            return overflow || end == start ? nil : start..<end
        }
    }
}

extension LoadedObjects {
    /// The path of the program's file; `nil` if it cannot be read.
    static var programPath: String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        guard count > 0 else { return nil }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
#endif
