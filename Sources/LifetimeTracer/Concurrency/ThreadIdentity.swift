#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Identifies a live thread; only for comparisons.
package struct ThreadIdentity: Equatable, LockedState {
    private let number: UInt

    /// The identity of the calling thread.
    package static var current: Self {
        #if canImport(Glibc)
        Self(number: UInt(pthread_self()))
        #else
        Self(number: UInt(bitPattern: pthread_self()))
        #endif
    }
}
