import RetainPaths

/// The wire type of a line of a retain path.
struct WireRetainStep: JSONObject {
    private let line: RetainLine
    private let step: RetainStep
    private let through: String
    private let isInCycle: Bool

    /// Returns the lines of the path of an explanation or a leak.
    static func all(of explanation: some HasRetainPath, full: Bool) -> [Self] {
        explanation.lines(full: full).map { Self($0, of: explanation) }
    }

    private init(_ line: RetainLine, of explanation: some HasRetainPath) {
        self.line = line
        step = explanation.path[line.steps.lowerBound]
        isInCycle = line.closesCycle || (explanation.cycle.map { line.steps.overlaps(Range($0)) } ?? false)
        // A line's text begins with the step's name, unless a variable before it already states the type.
        let text = line.text.hasPrefix(step.name) ? line.text.dropFirst(step.name.count) : line.text[...]
        through = String(text.drop { $0 == " " })
    }

    static let fields = Field.list {
        Field("kind") { $0.step.kind }
        Field("name") { $0.step.name }
        Field("through") { $0.through }
        Field("certain") { $0.line.isCertain }
        Field("suspect") { $0.line.isSuspect }
        Field("inCycle") { $0.isInCycle }
        Field("closesCycle") { $0.line.closesCycle }
        Field("folded", as: .integer(0...)) { max(0, $0.line.steps.count - 1) }
    }
}
