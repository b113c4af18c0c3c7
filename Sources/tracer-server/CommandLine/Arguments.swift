/// The parsed arguments of a command line.
struct Arguments: Sendable {
    let syntax: CommandSyntax
    private var values: [String: [String]] = [:]
    /// The operands, one for each operand of the command.
    var operands: [String] = []
    /// The words behind the operands, for a command that passes them on.
    var rest: [String] = []

    init(syntax: CommandSyntax) {
        self.syntax = syntax
    }

    mutating func add(_ value: String, to option: CommandSyntax.Option) throws(UsageError) {
        guard option.isRepeatable || values[option.name] == nil else {
            throw syntax.error("\(option.name) is given more than once")
        }
        values[option.name, default: []].append(value)
    }

    /// Returns all values of an option, in order.
    func all(_ name: String) -> [String] {
        precondition(syntax.options.contains { $0.name == name }, "\(name) is not an option of \(syntax.call)")
        return values[name] ?? []
    }

    /// Returns the value of an option that may be given once.
    func text(_ name: String) -> String? {
        all(name).first
    }

    /// Returns an option's value as a whole number from 0.
    func count(_ name: String) throws(UsageError) -> Int? {
        guard let text = text(name) else { return nil }
        guard let number = Self.count(in: text) else {
            throw syntax.error("\(name) \"\(text)\" is not a non-negative integer")
        }
        return number
    }

    /// Returns an option's value as a number of seconds, with or without a fraction.
    func seconds(_ name: String, in range: ClosedRange<Double>) throws(UsageError) -> Double? {
        guard let text = text(name) else { return nil }
        // `Double` also accepts "1e3", "0x1p4", "inf" and "nan".
        let isPlain = !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E }
        guard isPlain, let number = Double(text), range.contains(number) else {
            let limits = "\(Self.inWords(range.lowerBound)) to \(Self.inWords(range.upperBound))"
            throw syntax.error("\(name) \"\(text)\" is not a number of seconds from \(limits)")
        }
        return number
    }

    private static func inWords(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? String(number)
    }

    /// Parses a whole number from 0, in decimal digits.
    static func count(in text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
