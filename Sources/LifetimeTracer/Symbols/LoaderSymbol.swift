import CSymbols

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What `dladdr` knows of an address: exported symbols only.
struct LoaderSymbol: Sendable {
    /// The nearest symbol, as the linker knows it, and where it starts.
    let symbol: (name: String, start: UInt)?
    /// The path of the loaded file.
    let path: String
    /// Where the file is loaded.
    let base: UInt

    /// Asks the loader.
    ///
    /// - Parameter path: Under which the loader knows the object, to keep it from being unmapped meanwhile; `nil` where it
    ///   never is.
    init?(at address: UInt, inUnloadableObject path: String?) {
        var described = lt_described_address()
        guard lt_describe_address(address, path, &described) else { return nil }
        defer {
            free(described.name)
            free(described.path)
        }
        symbol = described.name.map { (String(cString: $0), described.start) }
        self.path = described.path.map { String(cString: $0) } ?? ""
        base = described.base
    }
}
