import LifetimeTracer

/// The name of an async function that a frame of a task runs or returns to.
struct AsyncFunctionName {
    /// The name; all parts of a function have the same.
    let closure: ClosureName
    /// The module of the function; empty if it is not known.
    let module: String
    /// Whether the function is one of Swift's own libraries, which only pass a wait on.
    ///
    /// The compiler copies some of these functions into the program.
    let isOfSwift: Bool
    private let isInLibrary: Bool

    /// Reads the name of a function of Swift at whose start the address is; `nil` for any other address.
    init?(_ symbol: HeapNames.NamedAddress?) {
        guard let symbol, symbol.offset == 0, symbol.mangledName.map(Demangler.isSwift) ?? false else { return nil }
        closure = ClosureName(symbol)
        module = ClosureName.module(of: symbol)
        isOfSwift = symbol.module.hasPrefix("libswift") || Self.swiftModules.contains(module)
        isInLibrary = symbol.module.hasPrefix("lib")
    }

    /// Whether the function has a name in source code that tells users where a task is.
    var isShown: Bool { !isOfSwift && !closure.isThunk }

    /// Whether the function is the program's own.
    ///
    /// If the name does not tell the module, the loaded file counts.
    func isOfProgram(libraries: Set<String>) -> Bool {
        module.isEmpty ? !isInLibrary : !libraries.contains(module)
    }

    private static let swiftModules: Set = ["Swift", "_Concurrency"]
}
