#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Modules that whoever runs a program says to be libraries.
enum LibraryModules {
    /// Those of the environment, as it was at the first question.
    static let ofEnvironment: Set<String> =
        getenv("LIFETIME_TRACER_LIBRARY_MODULES").map { list(String(cString: $0)) } ?? []

    /// Reads names with commas or spaces between them.
    static func list(_ text: String) -> Set<String> {
        Set(text.split { $0 == "," || $0.isWhitespace }.map(String.init))
    }
}
