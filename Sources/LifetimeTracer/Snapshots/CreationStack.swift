/// The calls that led to the creation of an instance, recorded while ``LifetimeRegistry/recordsCreationStacks`` was on.
///
/// Holds return addresses; names are looked up when they are asked for, which for the first time reads the symbol tables of the
/// program and its libraries, some ten milliseconds.
public struct CreationStack: Sendable, Hashable {
    /// The return addresses, from the innermost call outwards; at most 16.
    public let addresses: [UInt]

    /// The functions' names for people, from the innermost outwards, without the tracer's own and the system's at the start of
    /// each thread.
    ///
    /// A function without a name is told as `module+0x1a2b`.
    public var functions: [String] {
        frames.map(\.name)
    }

    /// The functions with what else is known of them.
    package var frames: [Symbol] {
        let symbols = Symboliser.shared.symbols(forReturnAddresses: addresses)
        return ReadableStack.trimmed(symbols.compactMap(\.self))
    }
}
