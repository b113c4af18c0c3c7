import LifetimeTracer

/// What the mangled name of a variable says about what it holds.
enum VariableNames {
    /// Endings of types whose values hold no object: weak, unowned, unmanaged; Int, UInt, Double, Bool, ObjectIdentifier, raw
    /// pointers, OpaquePointer, and optional ones.
    private static let plainTypes: [StaticString] = [
        "Xw", "Xo", "Xu", "Si", "Su", "Sd", "Sb", "SO", "SV", "Sv", "s13OpaquePointerV", "SiSg", "SuSg", "SOSg", "SVSg",
        "SvSg", "s13OpaquePointerVSg",
    ]

    /// Whether what has a name is no variable but metadata, is the runtime's own, or has a type that never holds an object.
    ///
    /// - Parameters:
    ///   - name: The mangled name.
    ///   - isInRuntime: Whether the variable is one of the library of Swift's runtime.
    static func holdNothing(_ name: UnsafeRawBufferPointer, isInRuntime: Bool = false) -> Bool {
        guard name.count >= 4 else { return false }
        // Written in C++: tables of types, and memory that was others' before.
        if isInRuntime, begins(name, with: "_Z") { return true }
        if begins(name, with: "_ZN5swift") || begins(name, with: "_ZZN5swift") { return true }
        // Foundation's table of functions for its collections, most of it memory as malloc gave it (CFBasicHash.c).
        if name.elementsEqual("CFBasicHashCallBackPtrs".utf8) { return true }
        guard begins(name, with: "$s") else { return false }
        // An object that the compiler laid down as the value of a variable.
        if isOutlinedVariable(name) { return false }
        // The tables of the search itself, but not what it plants to check itself.
        if begins(name, with: "$s11RetainPaths"), !begins(name, with: "$s11RetainPaths14PlantedObjects") { return true }
        var variable = name
        if ends(variable, with: "Z") { variable = UnsafeRawBufferPointer(rebasing: variable.dropLast()) }
        // What is no variable (docs/ABI/Mangling.rst of the Swift project, "vp") is metadata or a cache of it.
        guard ends(variable, with: "vp") else { return true }
        let type = UnsafeRawBufferPointer(rebasing: variable.dropLast(2))
        return plainTypes.contains { ends(type, with: $0) } || isUnmanaged(type, in: name)
    }

    /// Whether a name is one of Swift's.
    static func isOfSwift(_ name: UnsafeRawBufferPointer) -> Bool { begins(name, with: "$s") }

    /// Whether a name is that of an outlined variable: "Tv", perhaps a number, "_" (docs/ABI/Mangling.rst).
    private static func isOutlinedVariable(_ name: UnsafeRawBufferPointer) -> Bool {
        guard ends(name, with: "_") else { return false }
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        var rest = UnsafeRawBufferPointer(rebasing: name.dropLast())
        while let last = rest.last, digits.contains(last) { rest = UnsafeRawBufferPointer(rebasing: rest.dropLast()) }
        return ends(rest, with: "Tv")
    }

    /// Whether a variable's type is Unmanaged, or an optional one: of generic types the ending does not tell which.
    private static func isUnmanaged(_ type: UnsafeRawBufferPointer, in name: UnsafeRawBufferPointer) -> Bool {
        guard ends(type, with: "G") || ends(type, with: "GSg") else { return false }
        let mangled = String(decoding: name, as: UTF8.self)
        guard mangled.place(of: "s9UnmanagedV") != nil, let full = Demangler.fullName(of: mangled),
            let colon = full.place(of: " : ")
        else { return false }
        let typeName = full[colon.upperBound...]
        return typeName.hasPrefix("Swift.Unmanaged<") || typeName.hasPrefix("Swift.Optional<Swift.Unmanaged<")
    }

    private static func begins(_ name: UnsafeRawBufferPointer, with beginning: StaticString) -> Bool {
        name.count >= beginning.utf8CodeUnitCount
            && name.prefix(beginning.utf8CodeUnitCount).elementsEqual(
                UnsafeBufferPointer(start: beginning.utf8Start, count: beginning.utf8CodeUnitCount))
    }

    private static func ends(_ name: UnsafeRawBufferPointer, with ending: StaticString) -> Bool {
        name.count >= ending.utf8CodeUnitCount
            && name.suffix(ending.utf8CodeUnitCount).elementsEqual(
                UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
    }
}
