#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A number for each thread that lives; only to be compared.
package struct ThreadIdentity: Equatable, LockedState {
    private let number: UInt

    /// The thread that asks.
    package static var current: Self {
        #if canImport(Glibc)
        Self(number: UInt(pthread_self()))
        #else
        Self(number: UInt(bitPattern: pthread_self()))
        #endif
    }
}
