/// How much the symboliser reads and keeps.
package struct SymbolLimits: Sendable {
    /// Addresses of which the answer is kept: about 200 bytes each.
    package var cachedAddresses = 65_536
    /// Loaded objects that are known; a program with Foundation has about twenty.
    package var objects = 4_096
    /// Symbols of one object: 16 bytes each when read, 24 while they are sorted.
    package var symbolsPerObject = 4_000_000
    /// Bytes of the names of one object; a Swift program of 20 MB has 2 to 6 MB.
    package var nameBytesPerObject = 128 << 20
    /// Bytes of all symbols and names together; past them, objects are left to `dladdr`.
    package var tableBytes = 512 << 20

    /// Limits that no sensible program meets.
    package init() {}
}

/// What the symboliser holds, and what it had to leave out.
package struct SymboliserStatistics: Sendable, Equatable {
    /// Answers that are kept.
    package var cachedAddresses = 0
    /// Answers that could not be kept, because there were as many as the limit.
    package var uncachedLookups = 0
    /// Loaded objects whose symbols were read.
    package var tables = 0
    /// Bytes of those symbols and their names.
    package var tableBytes = 0
    /// Why the symbols of some objects that are loaded are not used; one text an object.
    package var refusals: [String] = []
    /// Objects past the limit, in the list as it stands.
    package var unlistedObjects = 0
}
