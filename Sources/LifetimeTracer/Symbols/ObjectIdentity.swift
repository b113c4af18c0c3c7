/// The properties that distinguish a loaded object from others, and from the file at its path.
struct ObjectIdentity: Sendable, Equatable {
    /// The path as the loader knows it; empty for the program itself.
    let path: String
    /// The difference between addresses in the process and virtual addresses of the file.
    let bias: UInt
    /// The program headers in memory.
    let programHeaders: [UInt8]
    /// The build id in memory, if the linker created one.
    let buildID: BuildID?
    /// The loaded segments, in addresses of the process.
    let segments: [Range<UInt>]
}
