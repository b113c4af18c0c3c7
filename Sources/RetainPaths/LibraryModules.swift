#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Modules that the person who runs a program declares to be libraries.
package enum LibraryModules {
    /// The modules in the environment variable when this property is first read.
    package static let ofEnvironment: Set<String> =
        getenv("LIFETIME_TRACER_LIBRARY_MODULES").map { list(String(cString: $0)) } ?? []

    /// Reads names that are separated by commas or spaces.
    static func list(_ text: String) -> Set<String> {
        Set(text.split { $0 == "," || $0.isWhitespace }.map(String.init))
    }
}
