#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// What this build is instrumented with.
package enum Sanitizer {
    /// Whether there is any.
    package static let isPresent = dlsym(nil, "__sanitizer_get_current_allocated_bytes") != nil

    /// Whether children of this process can use Swift as they like.
    ///
    /// Not under ThreadSanitizer, which ends a child that starts a thread; and under which the runtime takes a lock at
    /// each use of a lazy value, also one long made, so that a thread that vanished may hold that for ever.
    package static let allowsChildren = dlsym(nil, "__tsan_init") == nil
}
