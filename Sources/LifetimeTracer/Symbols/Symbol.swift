/// What is known of an address in the process: the function or variable that it is in, and the file it was loaded from.
package struct Symbol: LockedState, Hashable {
    /// The name for people: `Screen.bind()`, `closure #2 in Screen.bind()`, `malloc`.
    ///
    /// A Swift name is without modules, types of arguments and private discriminators; an allocating initializer reads like
    /// the initializer. Names of C and C++ are as the linker knows them. Where no symbol is known it is module and offset:
    /// `tracer-server+0x1234`.
    package let name: String
    /// The name as the linker knows it, unique in its module; `nil` where no symbol is known.
    package let mangledName: String?
    /// The last part of the path of the loaded file: `tracer-server`, `libc.so.6`.
    package let module: String
    /// How many bytes the address is behind the symbol's start; 0 where no symbol is known.
    package let offset: UInt
    /// The address as the file has it, for `addr2line` and the like.
    package let moduleOffset: UInt

    /// The same for an address some bytes on.
    func advanced(by bytes: UInt) -> Self {
        Self(
            name: mangledName == nil ? Self.unnamed(in: module, at: moduleOffset &+ bytes) : name,
            mangledName: mangledName, module: module,
            offset: mangledName == nil ? 0 : offset &+ bytes, moduleOffset: moduleOffset &+ bytes)
    }

    /// What stands for a name where there is none.
    static func unnamed(in module: String, at moduleOffset: UInt) -> String {
        "\(module)+0x\(String(moduleOffset, radix: 16))"
    }
}
