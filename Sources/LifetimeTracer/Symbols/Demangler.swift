import CTracerSymbols

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Converts mangled Swift names to readable ones.
package enum Demangler {
    /// Returns the human-readable name: `closure #1 in Outer.bind()`; names that are not Swift names are returned
    /// unchanged.
    ///
    /// Uses the runtime's short form if it has one, and otherwise the full form without private discriminators. Costs
    /// some microseconds.
    package static func readableName(of mangled: String) -> String {
        guard isSwift(mangled) else { return mangled }
        guard let brief = text({ lt_demangle_briefly(mangled, mangled.utf8.count) }) else {
            return fullName(of: mangled) ?? mangled
        }
        // The runtime returns a name unchanged if it cannot demangle it.
        if brief == mangled { return mangled }
        var name = brief.trimmingTrailingSpaces()
        if name.hasSuffix(" in"), let full = fullName(of: mangled), let last = full.split(separator: " ").last {
            // Code at the top level of a file and the value of a global have no context except the module.
            name += " \(last)"
        }
        // For a reader, a copy that the optimiser specialised is the same function.
        for prefix in ["merged ", "specialized "] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        return observerName(initializerName(withoutAddresses(name)))
    }

    /// Returns the full name, with modules and types; `nil` if the text is not a mangled Swift name.
    package static func fullName(of mangled: String) -> String? {
        guard isSwift(mangled), let full = text({ lt_demangle_fully(mangled, mangled.utf8.count) }), full != mangled
        else { return nil }
        return observerName(initializerName(withoutAddresses(withoutDiscriminators(full))))
    }

    /// Whether a name begins like a mangled Swift name (docs/ABI/Mangling.rst).
    package static func isSwift(_ mangled: String) -> Bool {
        ["$s", "_$s", "$S", "_$S", "$e", "_$e", "_T0", "@__swiftmacro_"].contains { mangled.hasPrefix($0) }
    }

    // Safe: the runtime hands over a text that it has allocated with malloc, or NULL.
    private static func text(_ make: () -> UnsafeMutablePointer<CChar>?) -> String? {
        guard let text = make() else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Replaces an allocating initializer by the initializer, because to a reader they are the same.
    private static func initializerName(_ name: String) -> String {
        name.replacing(from: ".__allocating_init(") { _ in (".init(", skipped: 0) }
    }

    /// Writes the observers of a property as in source code: `Screen.title.didSet`.
    private static func observerName(_ name: String) -> String {
        withSpelling(".willSet", of: ".willset", in: withSpelling(".didSet", of: ".didset", in: name))
    }

    private static func withSpelling(_ spelling: String, of word: String, in name: String) -> String {
        name.replacing(from: word) { rest in
            // The word may be the beginning of a name.
            let goesOn = rest.first.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
            return goesOn ? nil : (text: spelling, skipped: 0)
        }
    }

    /// Removes private discriminators: `(Screen in _94EBA0CE92FE335A1DC7B9E38B8E2D81)` becomes `Screen`.
    static func withoutDiscriminators(_ name: String) -> String {
        var kept = Substring(name)
        var clean = ""
        while let open = kept.firstIndex(of: "(") {
            let inside = kept[kept.index(after: open)...]
            let identifier = inside.prefix { !" (),:<>.".contains($0) }
            let rest = inside[identifier.endIndex...]
            clean += kept[..<open]
            if !identifier.isEmpty, rest.hasPrefix(" in _"), let close = rest.firstIndex(of: ")"),
                rest[..<close].dropFirst(5).allSatisfy(\.isHexDigit)
            {
                clean += identifier
                kept = rest[rest.index(after: close)...]
            } else {
                clean += "("
                kept = inside
            }
        }
        return clean + kept
    }

    /// Removes addresses, which differ between runs: `Demo.(unknown context at $55f7e80fe370).Screen` becomes
    /// `Demo.Screen`.
    static func withoutAddresses(_ name: String) -> String {
        name.replacing(from: "(unknown context at $") { rest in
            let digits = rest.prefix(while: \.isHexDigit)
            guard rest[digits.endIndex...].hasPrefix(").") else { return nil }
            return ("", skipped: digits.count + 2)
        }
    }
}

extension String {
    fileprivate func trimmingTrailingSpaces() -> String {
        String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
    }

    /// Replaces each occurrence of a pattern, together with a number of characters after it, by the result of `change`.
    ///
    /// `change` gets the text after the pattern. The standard library's own search is in a module that the core does
    /// not link.
    fileprivate func replacing(
        from pattern: String, _ change: (Substring) -> (text: String, skipped: Int)?
    ) -> String {
        guard let first = pattern.first else { return self }
        var rest = self[...]
        var result = ""
        while let start = rest.firstIndex(of: first) {
            result += rest[..<start]
            let candidate = rest[start...]
            if candidate.hasPrefix(pattern), let (text, skipped) = change(candidate.dropFirst(pattern.count)) {
                result += text
                rest = candidate.dropFirst(pattern.count + skipped)
            } else {
                result.append(first)
                rest = candidate.dropFirst()
            }
        }
        return result + rest
    }
}
