import RetainPaths

/// A line of a retain path as it is sent.
struct WireRetainStep: JSONWritable {
    private let line: RetainLine
    private let step: RetainStep
    private let through: String
    private let isInCycle: Bool

    /// The lines of an explanation's path.
    static func all(of explanation: RetainExplanation, full: Bool) -> [Self] {
        explanation.lines(full: full).map { Self($0, of: explanation) }
    }

    private init(_ line: RetainLine, of explanation: RetainExplanation) {
        self.line = line
        step = explanation.path[line.steps.lowerBound]
        isInCycle = line.closesCycle || (explanation.cycle.map { line.steps.overlaps(Range($0)) } ?? false)
        // Behind a variable that tells the type already, a line begins with the property.
        let text = line.text.hasPrefix(step.name) ? line.text.dropFirst(step.name.count) : line.text[...]
        through = String(text.drop { $0 == " " })
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            writer.field("kind", step.kind.rawValue)
            writer.field("name", step.name)
            writer.field("through", through)
            writer.field("certain", line.isCertain)
            writer.field("suspect", line.isSuspect)
            writer.field("inCycle", isInCycle)
            writer.field("closesCycle", line.closesCycle)
            writer.field("folded", max(0, line.steps.count - 1))
        }
    }
}
