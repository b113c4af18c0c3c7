import CTracerSymbols

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The result of `dladdr` for an address, which knows only exported symbols.
struct LoaderSymbol: Sendable {
    /// The nearest symbol with its linker name and start.
    let symbol: (name: String, start: UInt)?
    /// The path of the loaded file.
    let path: String
    /// The address at which the file is loaded.
    let base: UInt

    /// Asks the loader.
    ///
    /// - Parameter path: The path by which the loader keeps the object mapped during the call; `nil` if the object is
    ///   never unmapped.
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
