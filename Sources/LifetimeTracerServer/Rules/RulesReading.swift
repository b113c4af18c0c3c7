import LifetimeTracer
import RetainPaths
import TracerBase

extension Rules {
    /// The size of the largest file that is read, in bytes.
    package static let fileLimit = 1 << 20
    /// The largest number of patterns in a file: those of types and groups together.
    ///
    /// Each type of the program is compared with each of them once.
    package static let patternLimit = 1000

    /// The names in the objects of a file; the schema has the same.
    package enum Names {
        package static let file = ["$schema", "types", "groups", "knownLeaks"]
        package static let type = ["pattern", "budget", "maximumAgeSeconds", "expectedGrowth", "leaveOut"]
        package static let group = ["name", "patterns", "budget"]
    }

    /// Reads a file.
    ///
    /// Reading blocks the calling thread. The file has at most 1 MiB. A relative path of a known leaks file begins at
    /// the folder of this file.
    package init(contentsOf path: String) throws(RulesError) {
        do throws(RulesError) {
            let bytes: [UInt8]
            do throws(SmallFile.Failure) {
                bytes = try SmallFile.bytes(at: path, limit: Self.fileLimit)
            } catch {
                throw RulesError(error)
            }
            let end = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
            try self.init(bytes: bytes, file: path, folder: String(path[..<end]))
        } catch {
            var error = error
            // An error of the known leaks file names that file.
            error.file = error.file ?? path.withEscapes()
            throw error
        }
    }

    /// Reads the JSON text of such a file.
    package init(json: String) throws(RulesError) {
        try self.init(bytes: Array(json.utf8), file: nil, folder: "")
    }

    private init(bytes: [UInt8], file: String?, folder: String) throws(RulesError) {
        let json: JSONValue
        do throws(JSONError) {
            json = try JSONReader.read(bytes, size: Self.fileLimit, depth: 6)
        } catch {
            throw RulesError(error)
        }
        let object = try RuleObject(json, "the rules", named: Names.file, example: "{\"types\": […]}")
        _ = try object.text("$schema")
        self.file = file
        registry = try RegistryRules(object)
        knownLeaks = try Self.knownLeaks(object["knownLeaks"], folder)
    }

    /// Reads the known leaks: a list, or the path of a file.
    private static func knownLeaks(_ value: JSONValue?, _ folder: String) throws(RulesError) -> KnownLeaks {
        guard let value else { return KnownLeaks() }
        do throws(KnownLeaksError) {
            if value.elements != nil { return try KnownLeaks(list: value) }
            if let path = value.text, !path.isEmpty {
                return try KnownLeaks(contentsOf: path.hasPrefix("/") ? path : folder + path)
            }
        } catch {
            throw RulesError(error)
        }
        throw RulesError(
            value.text == nil
                ? "The value of \"knownLeaks\" is \(value.kind)." : "The path of \"knownLeaks\" is empty.",
            hint: "Write the path of a file of known leaks, or a list of them.", line: value.line)
    }
}

extension RegistryRules {
    fileprivate init(_ object: RuleObject) throws(RulesError) {
        var types: [TypeRule] = []
        var lines: [TypePattern: Int] = [:]
        for value in try object.list("types") {
            let rule = try TypeRule(value)
            try rule.pattern.note(in: &lines, line: value.line)
            types.append(rule)
        }
        var groups: [GroupRule] = []
        var groupLines: [String: Int] = [:]
        lines = [:]
        for value in try object.list("groups") {
            let group = try GroupRule(value)
            if let first = groupLines.updateValue(value.line, forKey: group.name) {
                throw RulesError(
                    "The group '\(group.name.withEscapes())' is listed a second time; the first is on line \(first).",
                    hint: "Put the patterns of both into one.", line: value.line)
            }
            for pattern in group.patterns { try pattern.note(in: &lines, line: value.line) }
            groups.append(group)
        }
        let count = types.count + groups.reduce(0) { $0 + $1.patterns.count }
        guard count <= Rules.patternLimit else {
            throw RulesError(
                "The rules have \(count) patterns.", hint: "Use at most \(Rules.patternLimit); patterns can have *.")
        }
        self.init(types: types, groups: groups)
    }
}

extension RegistryRules.TypeRule {
    /// The longest age, as for maximum ages in code.
    private static let longestAge = 365.0 * 24 * 3600

    fileprivate init(_ value: JSONValue) throws(RulesError) {
        let object = try RuleObject(
            value, "a rule for types", named: Rules.Names.type, example: "{\"pattern\": \"…\", \"budget\": 100}")
        guard let pattern = object["pattern"] else {
            throw RulesError("A rule for types has no pattern.", hint: "Add \"pattern\".", line: value.line)
        }
        self.init(try TypePattern(value: pattern))
        budget = try object["budget"].map { value throws(RulesError) in try .init(value, Int.init(budget:)) }
        maximumAge = try object["maximumAgeSeconds"].map { value throws(RulesError) in try .init(value, Self.age) }
        expectedGrowth = try object["expectedGrowth"].map { value throws(RulesError) in try .init(value, Self.reason) }
        leavesOut = try object["leaveOut"].map { value throws(RulesError) in try Self.boolean(value) }
        guard budget != nil || maximumAge != nil || expectedGrowth != nil || leavesOut != nil else {
            throw RulesError(
                "The rule for '\(self.pattern.description.withEscapes())' states nothing.",
                hint: "Add \(Rules.Names.type.dropFirst().dropLast().joined(separator: ", ")) or leaveOut.",
                line: value.line)
        }
        guard leavesOut != true || budget == nil && maximumAge == nil && expectedGrowth == nil else {
            throw RulesError(
                "The rule for '\(self.pattern.description.withEscapes())' leaves types out and states more about them.",
                hint: "Keep \"leaveOut\" alone, or remove it.", line: value.line)
        }
    }

    private static func age(_ value: JSONValue) throws(RulesError) -> Duration {
        guard case .number(let number) = value.content, let seconds = number.double, 0...longestAge ~= seconds else {
            throw RulesError(
                "The value of \"maximumAgeSeconds\" is \(value.textOfNumber).",
                hint: "Write a number of seconds from 0 to 31536000 (365 days), or null for no maximum age.",
                line: value.line)
        }
        return .seconds(seconds)
    }

    private static func reason(_ value: JSONValue) throws(RulesError) -> String {
        guard let text = value.text else {
            throw RulesError(
                "The value of \"expectedGrowth\" is \(value.kind).",
                hint: "Write a string: the reason for which growth is expected. Null stands for no expectation.",
                line: value.line)
        }
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw RulesError(
                "The reason in \"expectedGrowth\" is empty.", hint: "State why growth is expected.", line: value.line)
        }
        return text
    }

    private static func boolean(_ value: JSONValue) throws(RulesError) -> Bool {
        guard case .boolean(let boolean) = value.content else {
            throw RulesError(
                "The value of \"leaveOut\" is \(value.kind).", hint: "Write true or false.", line: value.line)
        }
        return boolean
    }
}

extension RegistryRules.GroupRule {
    fileprivate init(_ value: JSONValue) throws(RulesError) {
        let object = try RuleObject(
            value, "a group", named: Rules.Names.group, example: "{\"name\": \"…\", \"patterns\": [\"…\"]}")
        guard let name = try object.text("name"), name.contains(where: { !$0.isWhitespace }) else {
            throw RulesError("A group has no name.", hint: "Add \"name\".", line: object["name"]?.line ?? value.line)
        }
        var patterns: [TypePattern] = []
        for pattern in try object.list("patterns") { patterns.append(try TypePattern(value: pattern)) }
        guard !patterns.isEmpty else {
            throw RulesError(
                "The group '\(name.withEscapes())' has no patterns.",
                hint: "List the patterns of its types in \"patterns\".", line: object["patterns"]?.line ?? value.line)
        }
        self.init(name, patterns, budget: try object["budget"].map(Int.init(budget:)))
    }
}

extension RegistryRules.Statement {
    /// Reads a value, or `null`, which states that there is none.
    fileprivate init(_ value: JSONValue, _ read: (JSONValue) throws(RulesError) -> Value) throws(RulesError) {
        if case .null = value.content { self = .null } else { self = .value(try read(value)) }
    }
}

extension Int {
    fileprivate init(budget value: JSONValue) throws(RulesError) {
        guard let budget = value.integer(as: Int.self), budget >= 0 else {
            throw RulesError(
                "The value of \"budget\" is \(value.textOfNumber).",
                hint: "Write a whole number from 0 to \(Int.max): the most live instances.", line: value.line)
        }
        self = budget
    }
}

extension TypePattern {
    fileprivate init(value: JSONValue) throws(RulesError) {
        guard let text = value.text else {
            throw RulesError("A pattern is \(value.kind).", hint: "Write a string.", line: value.line)
        }
        guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw RulesError(
                "The pattern '\(text.withEscapes())' contains a control character, which no type's name does.",
                hint: "Remove the character.", line: value.line)
        }
        guard let pattern = Self(text) else {
            throw RulesError(
                "A pattern is empty.",
                hint: "Write the name of a type, as in \"Shop.Session\"; * stands for any characters.",
                line: value.line)
        }
        self = pattern
    }

    /// Refuses a pattern that is listed a second time, because the second would have no effect.
    fileprivate func note(in lines: inout [TypePattern: Int], line: Int) throws(RulesError) {
        guard let first = lines.updateValue(line, forKey: self) else { return }
        throw RulesError(
            "The pattern '\(description.withEscapes())' is listed a second time; the first is on line \(first).",
            hint: "Keep one of them.", line: line)
    }
}

extension JSONValue {
    /// The text of a number, or the kind of another value, for an error message.
    fileprivate var textOfNumber: String {
        if case .number(let number) = content { number.text } else { kind }
    }
}
