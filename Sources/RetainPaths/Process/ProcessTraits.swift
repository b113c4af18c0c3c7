import CRetainPaths
import LifetimeTracer

#if canImport(Glibc)
import Glibc
#endif

/// The properties of this process that make a search impossible.
enum ProcessTraits {
    /// The reason for which a search is impossible in this process, with a remedy; `nil` if none is known.
    static var obstacle: String? {
        #if os(Linux) && arch(x86_64) && canImport(Glibc)
        if dlsym(nil, "__asan_init") != nil || dlsym(nil, "__hwasan_init") != nil {
            return
                "AddressSanitizer has its own allocator, which the search cannot read. Build without AddressSanitizer."
        }
        if dlsym(nil, "__tsan_init") != nil {
            return "ThreadSanitizer does not let a copy of the process run. Build without ThreadSanitizer."
        }
        return otherAllocator
        #elseif os(Linux) && canImport(Musl)
        return "the search supports only glibc's allocator, not musl's. Build for glibc."
        #elseif os(Linux)
        return "the search supports only x86-64. Run the program on x86-64."
        #else
        return "the search supports only Linux. Run the program on Linux, or use Xcode's memory graph."
        #endif
    }

    #if os(Linux) && arch(x86_64) && canImport(Glibc)
    private static var otherAllocator: String? {
        // Other allocators have no versions, and the versioned lookup passes them over.
        let functions = [dlsym(nil, "malloc"), rp_versioned_malloc()].compactMap { $0 }
        guard !functions.isEmpty else { return "the function malloc was not found. Link glibc dynamically." }
        let libraries = functions.map {
            Symboliser.shared.symbol(at: UInt(bitPattern: $0))?.module ?? "an unknown library"
        }
        guard let library = libraries.first(where: { !ProcessImage.isCLibrary($0) }) else { return nil }
        return
            "malloc comes from '\(library)'; the search supports only glibc's. Run the program without that allocator."
    }
    #endif
}
