/// The name of a type, split into the module and the rest.
public struct TypeName: LockedState, Hashable, CustomStringConvertible {
    /// The module and the name: `Demo.TextScreen`.
    ///
    /// The whole name is stored, because lists show it and compare it for each instance.
    public let qualified: String
    /// The length of the module's name in UTF-8.
    private let moduleLength: Int

    /// The name of the module: `Demo`.
    public var module: String { String(qualified[..<end(ofBytes: moduleLength)]) }

    /// The name inside the module, with enclosing types: `Screens.TextScreen`.
    public var name: String {
        moduleLength == 0 ? qualified : String(qualified[end(ofBytes: moduleLength + 1)...])
    }

    /// The module and the name.
    public var description: String { qualified }

    /// Creates a name from its parts.
    public init(module: String, name: String) {
        qualified = module.isEmpty ? name : "\(module).\(name)"
        moduleLength = module.utf8.count
    }

    /// Hashes the whole name.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(qualified)
    }

    private func end(ofBytes count: Int) -> String.Index {
        qualified.utf8.index(qualified.startIndex, offsetBy: count)
    }

    /// Creates the name of a type.
    ///
    /// Costs microseconds, so cache the result.
    init(of type: Any.Type) {
        self.init(reflected: String(reflecting: type))
    }

    /// Splits the runtime's text for a type.
    ///
    /// The text of a private or local type is like `Demo.(unknown context at $55f7e80fe370).Screen`. The address tells
    /// a reader nothing and differs between runs, so that part is removed.
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
    /// Returns the first range of `pattern`; the standard library's own search is in a module that the core does not
    /// link.
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
