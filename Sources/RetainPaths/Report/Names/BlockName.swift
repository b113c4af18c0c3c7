/// The name of a block of memory that is not a Swift object.
struct BlockName: Hashable {
    /// The kind of a block, as far as it is known.
    enum Kind: Hashable {
        case dispatchSource, dispatchObject, closure
        /// Memory of a task.
        case taskMemory
        /// `ownMemory` is memory that the program itself has allocated; `memory` is any other memory.
        case memory, ownMemory
    }

    /// The kind of the block.
    let kind: Kind
    /// The name for users: `Dispatch source`, `64 bytes of memory`.
    let text: String

    /// The names of Dispatch's objects that keep work.
    static let queue = "Dispatch queue", group = "Dispatch group", channel = "Dispatch I/O channel"

    /// The names of Dispatch's objects by the part of their class's symbol.
    private static let dispatchObjects = [
        ("queue", queue), ("group", group), ("_io", channel), ("workloop", queue), ("data", "Dispatch data"),
        ("semaphore", "Dispatch semaphore"),
    ]

    /// Derives the name from the symbol to which the first word of the block points.
    ///
    /// Objects of libdispatch begin with the address of their class. C blocks (closures) begin with the address of one
    /// of three well-known variables (clang's Block-ABI-Apple.rst).
    init(size: Int, firstWord: HeapNames.NamedAddress?) {
        let symbol = firstWord?.mangledName ?? ""
        if symbol.hasPrefix("_NSConcrete"), symbol.hasSuffix("Block") {
            self.init(.closure, "block")
        } else if symbol.hasPrefix("_"), symbol.hasSuffix("_vtable"), symbol.place(of: "dispatch_") != nil {
            if symbol.place(of: "source") != nil {
                self.init(.dispatchSource, "Dispatch source")
            } else {
                let known = Self.dispatchObjects.first { symbol.place(of: $0.0) != nil }
                self.init(.dispatchObject, known?.1 ?? "Dispatch object")
            }
        } else if symbol == "_ZN5swift25TaskAllocatorSlabMetadataE" {
            self.init(.taskMemory, "\(size) bytes of a Task's memory")
        } else {
            let guess = size == Self.taskSlabSize ? ", perhaps a Task's" : ""
            self.init(size == Self.taskSlabSize ? .taskMemory : .memory, "\(size) bytes of memory\(guess)")
        }
    }

    /// Whether the symbol to which the first word of a block points is the type of a timer.
    ///
    /// The state of a Dispatch source that is a timer begins with the address of that type.
    ///
    /// The types are `_dispatch_source_type_timer`, `…_timer_with_clock`, `…_after` and `…_interval` in libdispatch's
    /// src/event/event.c. The state of other sources begins with other words.
    static func isTimer(_ firstWord: HeapNames.NamedAddress?) -> Bool {
        guard let firstWord, firstWord.offset == 0, let symbol = firstWord.mangledName else { return false }
        return ["timer", "after", "interval"].contains { symbol.hasPrefix("_dispatch_source_type_\($0)") }
    }

    /// Whether the symbol to which the first word of a block points is the type of a delayed call.
    ///
    /// Dispatch makes such a call (`dispatch_after`) by a timer.
    static func isDelayedCall(_ firstWord: HeapNames.NamedAddress?) -> Bool {
        isTimer(firstWord) && firstWord?.mangledName?.hasPrefix("_dispatch_source_type_after") == true
    }

    /// The usable size of malloc's block for the first slab of a task's allocator
    /// (swift/stdlib/public/runtime/StackAllocator.h).
    private static let taskSlabSize = 1016

    private init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }
}
