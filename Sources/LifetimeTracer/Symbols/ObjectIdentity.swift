/// What tells one loaded object from another, and from the file at its path.
struct ObjectIdentity: Sendable, Equatable {
    /// The path as the loader knows it; empty for the program itself.
    let path: String
    /// What is to be added to the file's virtual addresses.
    let bias: UInt
    /// The program headers as they are in memory.
    let programHeaders: [UInt8]
    /// The build id in memory, where the linker made one.
    let buildID: BuildID?
    /// Where the object is loaded, in addresses of the process.
    let segments: [Range<UInt>]
}
