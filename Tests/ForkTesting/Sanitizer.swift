#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The sanitizer of this build.
package enum Sanitizer {
    /// Whether this build has a sanitizer.
    package static let isPresent = dlsym(nil, "__sanitizer_get_current_allocated_bytes") != nil

    /// Whether ThreadSanitizer is present.
    package static let reportsRaces = dlsym(nil, "__tsan_init") != nil

    /// Whether children of this process can use Swift without restrictions.
    ///
    /// Under ThreadSanitizer they cannot: it ends a child that starts a thread. In addition, the runtime takes a lock
    /// at each use of a lazy value, even an initialized one, and a vanished thread may hold that lock forever.
    package static let allowsChildren = !reportsRaces

    /// Whether many children of a process whose other threads work can use Swift without restrictions.
    ///
    /// Under AddressSanitizer, one child hung until its time limit in 1 of 600 runs on a busy machine. The cause may be
    /// that of children which hung in a build without a sanitizer: they waited for the lock of a metadata cache of
    /// Swift's runtime, which a thread of the parent had held during the fork.
    package static let allowsManyChildren = allowsChildren && dlsym(nil, "__asan_init") == nil
}
