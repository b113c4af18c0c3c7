extension CommandSyntax {
    /// The result of parsing: a request for help or a run of the command.
    enum Request: Sendable {
        case help
        case run(Arguments)
    }

    /// Parses a command line strictly: every argument that the syntax does not define is an error that names the
    /// argument.
    ///
    /// A value follows its option as the next word, or in the same word after `=`. All words after `--` are operands.
    /// A command that passes words on reads none behind its last operand.
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
                if self.rest != nil, arguments.operands.count == operands.count {
                    arguments.rest = Array(rest)
                    break
                }
            }
        }
        guard arguments.operands.count == operands.count else {
            throw error("missing argument \(operands[arguments.operands.count].name)")
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
            throw error("unknown option \"\(parts[0])\"; known options: \(known)")
        }
        return (option, parts.count == 2 ? String(parts[1]) : nil)
    }

    /// Returns the value of an option; an empty text for an option without a value.
    private func value(
        of option: Option, _ inlineValue: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        guard let valueName = option.value else {
            if let inlineValue { throw error("\(option.name) takes no value, but \"\(inlineValue)\" was given") }
            return ""
        }
        if let inlineValue { return inlineValue }
        // A word such as "-1" may be a value, but "--wait" never is.
        guard let next = rest.first, !next.hasPrefix("--") else {
            throw error("\(option.name) requires a value: \(option.name) \(valueName)")
        }
        rest = rest.dropFirst()
        return next
    }
}
