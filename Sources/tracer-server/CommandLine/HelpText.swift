extension CommandSyntax {
    /// The help text, without a line feed at the end.
    var helpText: String {
        // Options must precede words that the command passes on.
        let usage =
            if let rest {
                [call] + options.map(\.usage) + ["--"] + operands.map(\.name) + [rest.name]
            } else {
                [call] + operands.map(\.name) + options.map(\.usage)
            }
        var lines = Self.wrapped(usage, indent: "    ", firstIndent: "usage: ")
        lines += ["", summary]
        let words = operands + [rest].compactMap(\.self)
        if !words.isEmpty {
            lines += ["", "arguments:"] + Self.table(words.map { ($0.name, $0.help) })
        }
        lines += ["", "options:"] + Self.table(options.map { ($0.signature, $0.help) })
        if !exitStatuses.isEmpty {
            lines += ["", "exit status:"] + Self.table(exitStatuses.map { ("\($0.code.rawValue)", $0.meaning) })
        }
        for note in notes {
            lines.append("")
            // A note with line feeds is already formatted.
            lines += note.contains("\n") ? [note] : Self.wrapped(note.split(separator: " ").map(String.init))
        }
        return lines.joined(separator: "\n")
    }

    private static let width = 100

    private static func table(_ rows: [(name: String, help: String)]) -> [String] {
        let column = (rows.map(\.name.count).max() ?? 0) + 4
        return rows.flatMap { name, help in
            wrapped(
                help.split(separator: " ").map(String.init), indent: String(repeating: " ", count: column),
                firstIndent: "  " + name + String(repeating: " ", count: column - name.count - 2))
        }
    }

    private static func wrapped(_ words: [String], indent: String = "", firstIndent: String = "") -> [String] {
        var lines: [String] = []
        var line = firstIndent
        var isEmpty = true
        for word in words {
            if !isEmpty, line.count + 1 + word.count > width {
                lines.append(line)
                line = indent
                isEmpty = true
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }
}

extension CommandSyntax.Option {
    /// The option with its value: `--listen ADDRESS`.
    fileprivate var signature: String {
        value.map { "\(name) \($0)" } ?? name
    }

    /// The option as the usage line shows it: `[--listen ADDRESS]`.
    fileprivate var usage: String {
        "[\(signature)]" + (isRepeatable ? "…" : "")
    }
}
