/// The name of a block of memory that is no Swift object.
struct BlockName: Hashable {
    /// What it is, as far as it shows.
    enum Kind: Hashable {
        case dispatchSource, dispatchObject, closure
        /// Memory of a task.
        case taskMemory
        /// Any other memory, and such that the program has allocated itself.
        case memory, ownMemory
    }

    /// What it is.
    let kind: Kind
    /// For people: `Dispatch source`, `64 bytes of memory`.
    let text: String

    /// Reads what the first word of a block points to.
    ///
    /// Objects of libdispatch begin with the address of their class, blocks of C with that of one of three well-known
    /// variables (clang's Block-ABI-Apple.rst).
    init(size: Int, firstWord: HeapNames.NamedAddress?) {
        let symbol = firstWord?.mangledName ?? ""
        if symbol.hasPrefix("_NSConcrete"), symbol.hasSuffix("Block") {
            self.init(.closure, "block")
        } else if symbol.hasPrefix("_"), symbol.hasSuffix("_vtable"), symbol.place(of: "dispatch_") != nil {
            if symbol.place(of: "source") != nil {
                self.init(.dispatchSource, "Dispatch source")
            } else if symbol.place(of: "queue") != nil {
                self.init(.dispatchObject, "Dispatch queue")
            } else {
                self.init(.dispatchObject, "Dispatch object")
            }
        } else if symbol == "_ZN5swift25TaskAllocatorSlabMetadataE" {
            self.init(.taskMemory, "\(size) bytes of a Task's memory")
        } else {
            let guess = size == Self.taskSlabSize ? ", perhaps a Task's" : ""
            self.init(size == Self.taskSlabSize ? .taskMemory : .memory, "\(size) bytes of memory\(guess)")
        }
    }

    /// What malloc gives for the first slab of a task's allocator (swift/stdlib/public/runtime/StackAllocator.h).
    private static let taskSlabSize = 1016

    private init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
