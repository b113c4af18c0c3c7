import LifetimeTracer

/// The function of the program on a thread's stack that holds an object, or that has called the function that does.
struct StackFunctionName {
    /// The name with the preposition: `in Screen.load()`, `in a call from Screen.load()`.
    let text: String

    /// Chooses the innermost function that is the program's own; `nil` if there is none.
    ///
    /// - Parameters:
    ///   - functions: The names at the addresses to which calls return, the innermost frame first.
    ///   - isInCallee: Whether the object lies in the frame of a function that the first one called.
    ///   - libraries: The modules of libraries.
    init?(_ functions: [HeapNames.NamedAddress?], isInCallee: Bool, libraries: Set<String>) {
        for (index, symbol) in functions.enumerated() {
            guard let symbol, let name = Self.name(symbol, libraries: libraries) else { continue }
            text = "\(index == 0 && !isInCallee ? "in" : "in a call from") \(name)"
            return
        }
        return nil
    }

    /// The name of a function of the program; `nil` for a library's function, and for one that compilers have made.
    private static func name(_ symbol: HeapNames.NamedAddress, libraries: Set<String>) -> String? {
        guard let mangled = symbol.mangledName, !symbol.module.hasPrefix("lib") else { return nil }
        if mangled == "main" { return "main" }
        guard Demangler.isSwift(mangled) else { return nil }
        // An address behind a call lies inside the function, which is as good as its start.
        var start = symbol
        start.offset = 0
        let closure = ClosureName(start)
        guard !closure.isThunk, !libraries.contains(ClosureName.module(of: start)) else { return nil }
        return closure.brief
    }
}
