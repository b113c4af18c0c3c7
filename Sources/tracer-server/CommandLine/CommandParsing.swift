extension CommandSyntax {
    /// What a command line asks for.
    enum Request: Sendable {
        case help
        case run(Arguments)
    }

    /// Reads a command line, strictly: everything that is not in the table is an error that names it.
    ///
    /// A value stands behind its option, or in the same word behind `=`. Behind `--` all are operands.
    func parse(_ words: [String]) throws(UsageError) -> Request {
        var arguments = Arguments(syntax: self)
        var rest = words[...]
        var optionsAreOver = false
        while let word = rest.popFirst() {
            if word == "--", !optionsAreOver {
                optionsAreOver = true
            } else if word.hasPrefix("-"), word != "-", !optionsAreOver {
                let (option, inlineValue) = try option(in: word)
                if option.name == "--help" { return .help }
                let value = try value(of: option, inlineValue, &rest)
                try arguments.add(value, to: option)
            } else {
                guard arguments.operands.count < operands.count else {
                    throw error("unexpected argument \"\(word)\"")
                }
                arguments.operands.append(word)
            }
        }
        guard arguments.operands.count == operands.count else {
            throw error("\(operands[arguments.operands.count].name) is missing")
        }
        return .run(arguments)
    }

    func error(_ problem: String) -> UsageError {
        UsageError(call: call, problem: problem)
    }

    private func option(in word: String) throws(UsageError) -> (Option, inlineValue: String?) {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let option = options.first(where: { $0.name == parts[0] }) else {
            let known = options.map(\.name).joined(separator: ", ")
            throw error("unknown option \"\(parts[0])\"; known: \(known)")
        }
        return (option, parts.count == 2 ? String(parts[1]) : nil)
    }

    /// The value of an option; an empty text for one that takes none.
    private func value(
        of option: Option, _ inlineValue: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let valueName = option.value else {
            if let inlineValue { throw error("\(option.name) takes no value, but has \"\(inlineValue)\"") }
            return ""
        }
        if let inlineValue { return inlineValue }
        // "-1" may be meant as a value, "--wait" never.
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw error("\(option.name) needs a value: \(option.name) \(valueName)")
        }
        rest = rest.dropFirst()
        return next
    }
}
