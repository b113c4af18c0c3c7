import CSymbols

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Makes mangled Swift names readable.
package enum Demangler {
    /// The name for people: `closure #1 in Outer.bind()`; names that are none of Swift's are returned as they are.
    ///
    /// The runtime's own short form where it has one, else the full form without the private discriminators. Costs some
    /// microseconds.
    package static func readableName(of mangled: String) -> String {
        guard isSwift(mangled) else { return mangled }
        guard let brief = text({ lt_demangle_briefly(mangled, mangled.utf8.count) }) else {
            return fullName(of: mangled) ?? mangled
        }
        // The runtime hands back what it could not read.
        if brief == mangled { return mangled }
        var name = brief.trimmingTrailingSpaces()
        if name.hasSuffix(" in"), let full = fullName(of: mangled), let last = full.split(separator: " ").last {
            // In code at the top of a file or the value of a global there is nothing around but the module.
            name += " \(last)"
        }
        // A version that the optimiser made for one use is the same function to people.
        for prefix in ["merged ", "specialized "] where name.hasPrefix(prefix) { name.removeFirst(prefix.count) }
        return initializerName(withoutAddresses(name))
    }

    /// The full name, with modules and types; `nil` where the text is no mangled Swift name.
    package static func fullName(of mangled: String) -> String? {
        guard isSwift(mangled), let full = text({ lt_demangle_fully(mangled, mangled.utf8.count) }), full != mangled
        else { return nil }
        return initializerName(withoutAddresses(withoutDiscriminators(full)))
    }

    /// Whether a name begins as Swift's do (docs/ABI/Mangling.rst).
    package static func isSwift(_ mangled: String) -> Bool {
        ["$s", "_$s", "$S", "_$S", "$e", "_$e", "_T0", "@__swiftmacro_"].contains { mangled.hasPrefix($0) }
    }

    private static func text(_ make: () -> UnsafeMutablePointer<CChar>?) -> String? {
        guard let text = make() else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// An object that is made and then set up: to people both is the initializer.
    private static func initializerName(_ name: String) -> String {
        name.replacing(from: ".__allocating_init(") { _ in (".init(", skipped: 0) }
    }

    /// `(Screen in _94EBA0CE92FE335A1DC7B9E38B8E2D81)` is `Screen`, of that file.
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

    /// `Demo.(unknown context at $55f7e80fe370).Screen` is `Demo.Screen`: the address differs from run to run.
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

    /// Replaces each place of a pattern by what `change` makes of what follows it, together with so many characters of that.
    ///
    /// The standard library's own search comes with a module that the core does not link.
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
