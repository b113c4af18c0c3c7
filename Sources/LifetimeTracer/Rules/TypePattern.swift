import TracerBase

/// A pattern for the names of types: the full name or the name inside the module, with `*` for any characters.
///
/// `Shop.Session` matches that type, `Session` the type `Session` of any module, and `Shop.*Request` all types of a
/// module whose names end so.
package struct TypePattern: Sendable, Hashable, CustomStringConvertible {
    /// The pattern as it was written.
    package let description: String
    private let pattern: WildcardPattern

    /// Reads a pattern; `nil` if it is empty.
    package init?(_ text: String) {
        pattern = WildcardPattern(text[...])
        description = text
        if pattern.isEmpty { return nil }
    }

    /// Whether the pattern matches a type.
    func matches(_ type: TypeName) -> Bool {
        pattern.matches(type.qualified[...]) || pattern.matches(type.name[...])
    }

    /// Compares what is matched, not how it is written.
    package static func == (first: Self, second: Self) -> Bool { first.pattern == second.pattern }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(pattern)
    }
}
