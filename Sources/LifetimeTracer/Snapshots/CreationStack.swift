/// The calls that led to the creation of an instance, recorded while ``LifetimeRegistry/recordsCreationStacks`` was on.
///
/// The stack holds return addresses, and names are looked up on demand. The first lookup reads the symbol tables of the
/// program and its libraries, which takes some ten milliseconds.
public struct CreationStack: Sendable, Hashable {
    /// The return addresses, innermost call first; at most 16.
    public let addresses: [UInt]

    /// The human-readable names of the functions, innermost first, without frames of the tracer and the system's frames
    /// at the start of a thread.
    ///
    /// A function without a symbol is named like `module+0x1a2b`.
    public var functions: [String] {
        frames.map(\.name)
    }

    /// The functions with all their symbol data.
    package var frames: [Symbol] {
        let symbols = Symboliser.shared.symbols(forReturnAddresses: addresses)
        return ReadableStack.trimmed(symbols.compactMap(\.self))
    }
}
