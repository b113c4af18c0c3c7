import LifetimeTracer

/// The boxes that the compiler lays out: captured variables, large values in existentials, payloads of indirect enums.
///
/// To the runtime, they are contexts of closures with a single capture.
enum BoxedValue {
    /// The type of the only value in a context, empty if its name is not supported; `nil` if there is not exactly one
    /// value.
    ///
    /// Reads the value's mangled name instead of asking the runtime for the type, because a name that the runtime
    /// cannot build ends the program. Names of simple types are supported: a type of the standard library, or a type
    /// without generic arguments, optional or not.
    static func typeName(ofContext address: UInt) -> String? {
        // Safe: the census has checked the metadata and the address of the descriptor of the captures.
        guard let metadata = Metadata(address: address), metadata.kind == .context,
            let captures = ContextMetadata(metadata).captures, captures.captureCount == 1, captures.bindingCount == 0,
            let name = captures.typeName(0)
        else { return nil }
        return typeName(name)
    }

    private static func typeName(_ name: MangledName) -> String {
        let bytes = name.bytes
        guard let first = bytes.first, first <= 0x1F else {
            // A reference may also follow later in the name.
            guard bytes.allSatisfy({ $0 > 0x1F }) else { return "" }
            return Demangler.fullName(of: "$s\(String(decoding: bytes, as: UTF8.self))D").map(functionAsWritten) ?? ""
        }
        // Symbolic references (docs/ABI/Mangling.rst): 1 refers to a descriptor, 2 to the address of a descriptor.
        let rest = String(decoding: bytes.dropFirst(5), as: UTF8.self)
        guard first <= 2, bytes.count >= 5, ["", "Sg"].contains(rest),
            let target = (UnsafeRawPointer(name.start) + 1).relative(0),
            let descriptor = first == 1 ? target : target.pointer(0)
        else { return "" }
        let context = ContextDescriptor(descriptor)
        return qualifiedName(context) + (rest.hasSuffix("Sg") ? "?" : "")
    }

    /// The type of a function as in source code, instead of as in the compiler's intermediate form.
    ///
    /// `@escaping @callee_guaranteed (@unowned Swift.Int) -> (@unowned Swift.Int)` becomes `(Swift.Int) -> Swift.Int`.
    /// Other texts stay as they are. Of a function that throws or is generic, only that it is a function is told.
    static func functionAsWritten(_ text: String) -> String {
        guard text.contains("@callee_guaranteed ") else { return text }
        guard !text.contains("@error"), !text.contains("@substituted") else { return "function" }
        var result = ""
        for word in text.split(separator: " ") {
            let parentheses = word.prefix { $0 == "(" }
            // An attribute: of the function, or of a parameter or result, before which a parenthesis may begin.
            let kept = word.dropFirst(parentheses.count).first == "@" ? parentheses : word
            guard !kept.isEmpty else { continue }
            result += result.isEmpty || result.last == "(" ? kept : " \(kept)"
        }
        return withoutParenthesesOfResult(result)
    }

    private static func withoutParenthesesOfResult(_ function: String) -> String {
        let arrow = " -> ("
        guard function.hasSuffix(")"),
            let start = function.indices.last(where: { function[$0...].hasPrefix(arrow) })
        else { return function }
        let result = function[start...].dropFirst(arrow.count).dropLast()
        guard !result.isEmpty, !result.contains(where: { "(),".contains($0) }) else { return function }
        return "\(function[..<start]) -> \(result)"
    }

    /// The name with its module and enclosing types.
    ///
    /// At most 32 enclosing contexts are read.
    private static func qualifiedName(_ descriptor: ContextDescriptor) -> String {
        var parts: [String] = []
        var context: ContextDescriptor? = descriptor
        for _ in 0..<32 {
            guard let current = context else { break }
            // Other contexts, such as extensions, have no name at the same place.
            if current.kind != nil { parts.append(current.name) }
            if current.kind == .module { break }
            context = current.parent
        }
        return parts.reversed().joined(separator: ".")
    }
}
