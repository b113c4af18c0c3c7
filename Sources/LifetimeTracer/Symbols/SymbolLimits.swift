/// The limits on the data that the symboliser reads and keeps.
package struct SymbolLimits: Sendable {
    /// The most addresses whose symbol is cached, at about 200 bytes each.
    package var cachedAddresses = 65_536
    /// The most loaded objects; a program with Foundation has about twenty.
    package var objects = 4_096
    /// The most symbols of one object, at 16 bytes each once read and 24 during sorting.
    package var symbolsPerObject = 4_000_000
    /// The most bytes of names of one object; a Swift program of 20 MB has 2 to 6 MB.
    package var nameBytesPerObject = 128 << 20
    /// The most bytes of all symbols and names; further objects are left to `dladdr`.
    package var tableBytes = 512 << 20

    /// Creates limits that no realistic program reaches.
    package init() {}
}

/// The contents of the symboliser, and the data that it left out.
package struct SymboliserStatistics: Sendable, Equatable {
    /// The number of cached addresses.
    package var cachedAddresses = 0
    /// The number of lookups that were not cached because the cache was full.
    package var uncachedLookups = 0
    /// The number of loaded objects whose symbols were read.
    package var tables = 0
    /// The size of those symbols and their names, in bytes.
    package var tableBytes = 0
    /// Why the symbols of some loaded objects are not used; one text for each object.
    package var refusals: [String] = []
    /// The number of objects beyond the limit in the current list.
    package var unlistedObjects = 0
}
