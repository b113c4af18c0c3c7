/// The function or variable at an address in the process, and the file it was loaded from.
package struct Symbol: LockedState, Hashable {
    /// The human-readable name: `Screen.bind()`, `closure #2 in Screen.bind()`, `malloc`.
    ///
    /// A Swift name has no modules, argument types or private discriminators, and an allocating initializer reads like
    /// the initializer. Names of C and C++ are the linker's. Without a symbol it is the module and the offset:
    /// `tracer-server+0x1234`.
    package let name: String
    /// The linker's name, unique in its module; `nil` without a symbol.
    package let mangledName: String?
    /// The last component of the loaded file's path: `tracer-server`, `libc.so.6`.
    package let module: String
    /// The distance of the address from the symbol's start, in bytes; 0 without a symbol.
    package let offset: UInt
    /// The address in the file, for `addr2line` and similar tools.
    package let moduleOffset: UInt

    /// Returns the symbol for an address some bytes further.
    func advanced(by bytes: UInt) -> Self {
        Self(
            name: mangledName == nil ? Self.unnamed(in: module, at: moduleOffset &+ bytes) : name,
            mangledName: mangledName, module: module,
            offset: mangledName == nil ? 0 : offset &+ bytes, moduleOffset: moduleOffset &+ bytes)
    }

    /// Returns the name for an address without a symbol.
    static func unnamed(in module: String, at moduleOffset: UInt) -> String {
        "\(module)+0x\(String(moduleOffset, radix: 16))"
    }
}
