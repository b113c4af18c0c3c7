/// Shortens the full text of a type or function for users.
package enum ShortTypeName {
    /// The length of a name up to which its generic arguments are kept.
    static let limit = 96

    /// The text without modules, and with `…` for the innermost generic arguments if it is very long.
    ///
    /// `Demo.Hub<Swift.String>` becomes `Hub<String>`, `Demo.Outer<Swift.Int>.Inner` becomes `Outer<Int>.Inner`.
    package static func of(_ text: some StringProtocol) -> String {
        collapsed(withoutModules(text))
    }

    /// The text without the first part of each dotted name in it.
    static func withoutModules(_ text: some StringProtocol) -> String {
        var result = ""
        var rest = withoutExtensionMarks(String(text))[...]
        var previous: Character = " "
        while let character = rest.first {
            guard isNamePart(character) else {
                result.append(character)
                previous = character
                rest.removeFirst()
                continue
            }
            let name = rest.prefix(while: isNamePart)
            rest = rest[name.endIndex...]
            // `.Inner` continues a name. A module is at the beginning of a name, and another name follows it.
            let beginsName = previous != "." && !name.allSatisfy(\.isNumber)
            if beginsName, rest.first == ".", let next = rest.dropFirst().first, isNamePart(next) {
                rest.removeFirst()
                let inner = rest.prefix(while: isNamePart)
                result += inner
                rest = rest[inner.endIndex...]
                previous = inner.last ?? "."
            } else {
                result += name
                previous = name.last ?? " "
            }
        }
        return result
    }

    /// The text without generic arguments: `Outer<Int>.Inner` becomes `Outer.Inner`.
    static func withoutGenerics(_ text: some StringProtocol) -> String {
        replacingArguments(in: text, deeperThan: 0, with: nil)
    }

    private static func collapsed(_ text: String) -> String {
        guard text.count > limit else { return text }
        for depth in [3, 2, 1] {
            let shorter = replacingArguments(in: text, deeperThan: depth, with: "…")
            if shorter.count <= limit { return shorter }
        }
        let shortest = replacingArguments(in: text, deeperThan: 0, with: "…")
        return shortest.count <= limit ? shortest : shortest.prefix(limit - 1) + "…"
    }

    /// The text without the parts inside more than `depth` pairs of angle brackets.
    ///
    /// With a substitute, the brackets around it are kept.
    private static func replacingArguments(
        in text: some StringProtocol, deeperThan depth: Int, with substitute: String?
    ) -> String {
        var result = ""
        var level = 0
        var previous: Character = " "
        for character in text {
            // The arrow of a function type is not a bracket.
            let closes = character == ">" && previous != "-"
            if closes { level = max(0, level - 1) }
            let isBracket = character == "<" || closes
            if level < depth || level == depth && (!isBracket || substitute != nil) {
                result.append(character)
            }
            if character == "<" {
                if level == depth, let substitute { result += substitute }
                level += 1
            }
            previous = character
        }
        return result
    }

    /// The text without marks of extensions: `(extension in Demo):Swift.Array` becomes `Swift.Array`.
    private static func withoutExtensionMarks(_ text: String) -> String {
        let mark = "(extension in "
        var result = ""
        var rest = text[...]
        while let found = rest.place(of: mark) {
            let inside = rest[found.upperBound...]
            guard let end = inside.place(of: "):") else { break }
            result += rest[..<found.lowerBound]
            rest = inside[end.upperBound...]
        }
        return result + rest
    }

    private static func isNamePart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_" || character == "$" || character == "`"
    }
}
