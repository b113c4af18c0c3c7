import LifetimeTracer
import TracerBase

extension KnownLeaks {
    /// The size of the largest file that is read, in bytes.
    package static let fileLimit = 1 << 20
    /// The largest number of leaks in a file.
    package static let entryLimit = 10_000

    /// Reads a file.
    ///
    /// Reading blocks the calling thread. The file has at most 1 MiB.
    public init(contentsOf path: String) throws(KnownLeaksError) {
        do throws(KnownLeaksError) {
            try self.init(bytes: try Self.bytes(at: path))
        } catch {
            var error = error
            error.file = path.withEscapes()
            throw error
        }
    }

    /// Reads the JSON text of such a file.
    public init(json: String) throws(KnownLeaksError) {
        try self.init(bytes: Array(json.utf8))
    }

    private static func bytes(at path: String) throws(KnownLeaksError) -> [UInt8] {
        do throws(SmallFile.Failure) {
            return try SmallFile.bytes(at: path, limit: fileLimit)
        } catch {
            throw KnownLeaksError(error)
        }
    }

    private static func json(in bytes: [UInt8]) throws(KnownLeaksError) -> JSONValue {
        do throws(JSONError) {
            return try JSONReader.read(bytes, size: fileLimit, depth: 4)
        } catch {
            throw KnownLeaksError(error.message, hint: error.hint, line: error.line)
        }
    }

    private init(bytes: [UInt8]) throws(KnownLeaksError) {
        guard bytes.count <= Self.fileLimit else {
            throw KnownLeaksError("The list has \(bytes.count) bytes.", hint: "Use at most \(Self.fileLimit) bytes.")
        }
        try self.init(list: try Self.json(in: bytes))
    }

    /// Reads the list of such a file, which another file may contain.
    package init(list: JSONValue) throws(KnownLeaksError) {
        guard let values = list.elements else {
            throw KnownLeaksError(
                "A list is expected, but the file contains \(list.kind).",
                hint: "Write [{\"fingerprint\": \"…\", \"reason\": \"…\"}].", line: list.line)
        }
        guard values.count <= Self.entryLimit else {
            throw KnownLeaksError("The list has \(values.count) known leaks.", hint: "List at most \(Self.entryLimit).")
        }
        var leaks: [KnownLeak] = []
        var lines: [KnownLeak.Matcher: Int] = [:]
        for value in values {
            let leak = try KnownLeakEntry(value).leak
            if let first = lines.updateValue(value.line, forKey: leak.matcher) {
                throw KnownLeaksError(
                    "'\(leak.subject.withEscapes())' is listed a second time; the first is on line \(first).",
                    hint: "Keep one of them.", line: value.line)
            }
            leaks.append(leak)
        }
        self.init(leaks: leaks)
    }
}

/// One object of the file.
private struct KnownLeakEntry {
    private static let names = ["fingerprint", "pattern", "reason", "expires"]

    private let line: Int
    private var texts: [String: (text: String, line: Int)] = [:]

    init(_ value: JSONValue) throws(KnownLeaksError) {
        line = value.line
        guard let members = value.members else {
            throw KnownLeaksError(
                "An object is expected for a known leak, but the list contains \(value.kind).",
                hint: "Write {\"fingerprint\": \"…\", \"reason\": \"…\"}.", line: value.line)
        }
        for member in members {
            guard Self.names.contains(member.name) else {
                throw KnownLeaksError(
                    "A known leak has the unknown name \"\(member.name.withEscapes())\".",
                    hint: "Use \(Self.names.joined(separator: ", ")).", line: member.line)
            }
            guard let text = member.value.text else {
                throw KnownLeaksError(
                    "The value of \"\(member.name)\" is \(member.value.kind).", hint: "Write a string.",
                    line: member.value.line)
            }
            texts[member.name] = (text, member.value.line)
        }
    }

    var leak: KnownLeak {
        get throws(KnownLeaksError) {
            let (subject, matcher) = try self.matcher
            guard let reason = texts["reason"]?.text, reason.contains(where: { !$0.isWhitespace }) else {
                throw KnownLeaksError(
                    "The known leak '\(subject.withEscapes())' has no reason.",
                    hint: "State in \"reason\" why the leak is accepted.", line: texts["reason"]?.line ?? line)
            }
            return KnownLeak(
                subject: subject, reason: reason, expires: texts["expires"]?.text, matcher: matcher,
                lastDay: try lastDay)
        }
    }

    private var matcher: (subject: String, KnownLeak.Matcher) {
        get throws(KnownLeaksError) {
            switch (texts["fingerprint"], texts["pattern"]) {
            case (let given?, nil):
                guard let fingerprint = Fingerprint(description: given.text) else {
                    throw KnownLeaksError(
                        "'\(given.text.withEscapes())' is not a fingerprint.",
                        hint: "Copy the 16 hexadecimal digits, 0 to 9 and a to f, from the leak's report.",
                        line: given.line)
                }
                return (given.text, .fingerprint(fingerprint))
            case (nil, let given?):
                guard let pattern = PathPattern(given.text) else {
                    throw KnownLeaksError(
                        "The pattern '\(given.text.withEscapes())' has an empty part.",
                        hint: "Write the parts with \(PathPattern.separator) between them, as in "
                            + "\"Hub.subs \(PathPattern.separator) DetailScreen\".", line: given.line)
                }
                return (given.text, .pattern(pattern))
            case (nil, nil):
                throw KnownLeaksError(
                    "A known leak has neither fingerprint nor pattern.",
                    hint: "Add one of them to identify the leak.",
                    line: line)
            case (_?, let second?):
                throw KnownLeaksError(
                    "A known leak has both fingerprint and pattern.", hint: "Keep one of them.", line: second.line)
            }
        }
    }

    private var lastDay: CalendarDay? {
        get throws(KnownLeaksError) {
            guard let given = texts["expires"] else { return nil }
            guard let day = CalendarDay(given.text) else {
                throw KnownLeaksError(
                    "'\(given.text.withEscapes())' is not a date.",
                    hint: "Write the last day as YYYY-MM-DD, as in \"2027-01-31\".", line: given.line)
            }
            return day
        }
    }
}

extension KnownLeaksError {
    fileprivate init(_ failure: SmallFile.Failure) {
        let (problem, remedy) = failure.explanation(
            limit: KnownLeaks.fileLimit, shortening: "List fewer leaks, or use patterns.")
        self.init(problem, hint: remedy)
    }
}
