/// What a check is asked for.
struct CheckOptions: Sendable, Equatable {
    /// How many live instances of a type are fine.
    struct TypeLimit: Sendable, Equatable {
        /// The full name or the name alone.
        let type: String
        let limit: Int
    }

    let target: CheckTarget
    var maxOverdue = 0
    var maxOrphaned = 0
    var maxLive: [TypeLimit] = []
    var wait = Duration.zero
    /// Whether to have it searched who holds what is overdue.
    var explains = false

    /// A day: who waits longer has forgotten about it.
    private static let longestWait = 86_400.0

    init(_ arguments: Arguments) throws(UsageError) {
        let syntax = CheckCommand.syntax
        target = try CheckTarget(arguments.operands[0], of: syntax)
        maxOverdue = try arguments.count("--max-overdue") ?? 0
        maxOrphaned = try arguments.count("--max-orphaned") ?? 0
        wait = .seconds(try arguments.seconds("--wait", in: 0...Self.longestWait) ?? 0)
        explains = arguments.text("--explain") != nil
        for text in arguments.all("--max-live") {
            let limit = try Self.typeLimit(in: text)
            guard !maxLive.contains(where: { $0.type == limit.type }) else {
                throw syntax.error("--max-live is given more than once for \"\(limit.type)\"")
            }
            maxLive.append(limit)
        }
    }

    private static func typeLimit(in text: String) throws(UsageError) -> TypeLimit {
        // From the right: a generic type's name may have "=" in it, a number never.
        guard let sign = text.lastIndex(of: "="), sign != text.startIndex,
            let limit = Arguments.count(in: String(text[text.index(after: sign)...]))
        else {
            throw CheckCommand.syntax.error(
                "--max-live \"\(text)\" is not TYPE=N with a whole number from 0, such as TextScreen=3")
        }
        return TypeLimit(type: String(text[..<sign]), limit: limit)
    }
}
