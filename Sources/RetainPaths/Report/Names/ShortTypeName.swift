/// Makes the full text of a type or function short enough for people.
package enum ShortTypeName {
    /// How long a name may be before the arguments of its generics give way.
    static let limit = 96

    /// The text without modules, and with `…` for the innermost generic arguments of a very long one.
    ///
    /// `Demo.Hub<Swift.String>` is `Hub<String>`, `Demo.Outer<Swift.Int>.Inner` is `Outer<Int>.Inner`.
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
            // `.Inner` goes on with a name; a module stands at the beginning of one and has a name behind it.
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

    /// The text without generic arguments: `Outer<Int>.Inner` is `Outer.Inner`.
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

    /// Leaves out what stands in more than so many angle brackets; with a substitute the brackets around it stay.
    private static func replacingArguments(
        in text: some StringProtocol, deeperThan depth: Int, with substitute: String?
    ) -> String {
        var result = ""
        var level = 0
        var previous: Character = " "
        for character in text {
            // The arrow of a function type closes nothing.
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

    /// `(extension in Demo):Swift.Array` is `Swift.Array`.
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
