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
            return "AddressSanitizer has an allocator of its own, whose blocks are not known. Build without it."
        }
        if dlsym(nil, "__tsan_init") != nil {
            return "ThreadSanitizer does not let a copy of the process run. Build without it."
        }
        return otherAllocator
        #elseif os(Linux) && canImport(Musl)
        return "musl's allocator is not known, only glibc's. Build for glibc."
        #elseif os(Linux)
        return "the heap is only known on x86-64. Run the program there."
        #else
        return "a copy of the process can only be had on Linux. Run the program there, or use Xcode's memory graph."
        #endif
    }

    #if os(Linux) && arch(x86_64) && canImport(Glibc)
    private static var otherAllocator: String? {
        guard let function = dlsym(nil, "malloc") else {
            return "there is no malloc to be found. Link glibc dynamically."
        }
        let library = Symboliser.shared.symbol(at: UInt(bitPattern: function))?.module ?? "an unknown place"
        guard !ProcessImage.isCLibrary(library) else { return nil }
        return "malloc comes from '\(library)', and only glibc's is known. Run the program without that allocator."
    }
    #endif
}
