/// A type's name, split into module and the rest.
public struct TypeName: LockedState, Hashable, CustomStringConvertible {
    /// The module: `Demo`.
    public let module: String
    /// The name inside the module, with the types around it: `Screens.TextScreen`.
    public let name: String

    /// Module and name: `Demo.TextScreen`.
    public var qualified: String { module.isEmpty ? name : "\(module).\(name)" }

    /// Module and name.
    public var description: String { qualified }

    /// Creates a name from its parts.
    public init(module: String, name: String) {
        self.module = module
        self.name = name
    }

    /// Reads the name of a type.
    ///
    /// Costs microseconds: cache the result.
    init(of type: Any.Type) {
        self.init(reflected: String(reflecting: type))
    }

    /// Splits the text that the runtime gives for a type.
    ///
    /// Private and local types come as `Demo.(unknown context at $55f7e80fe370).Screen`; the address says nothing to a
    /// reader and differs from run to run, so that part is left out.
    package init(reflected: String) {
        var text = Substring(reflected)
        var clean = ""
        while let start = text.firstRange(of: "(unknown context at ") {
            clean += text[..<start.lowerBound]
            guard let end = text[start.upperBound...].firstRange(of: ").") else { break }
            text = text[end.upperBound...]
        }
        clean += text
        guard let dot = clean.firstIndex(of: "."), !clean[..<dot].contains(where: { "<( ".contains($0) }) else {
            self.init(module: "", name: clean)
            return
        }
        self.init(module: String(clean[..<dot]), name: String(clean[clean.index(after: dot)...]))
    }
}

extension Substring {
    /// The first place of `pattern`; the standard library's own search comes with a module that the core does not link.
    fileprivate func firstRange(of pattern: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(pattern) {
                return start..<index(start, offsetBy: pattern.count)
            }
            start = index(after: start)
        }
        return nil
    }
}
