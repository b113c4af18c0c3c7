package import RetainPaths

/// A pattern that a part of a path must match.
package enum StepPattern: Sendable {
    /// A step of this kind, with a name that contains the text.
    case step(RetainStep.Kind, String)
    /// A closure with this name: either a step, or the link from a step to the next one.
    case closure(String)
    /// A property, element or capture that contains the text.
    case through(String)
    /// A property of the value in a variable; only the variable's symbol tells the type of the value.
    case member(String)
    /// Any text of the path.
    case says(String)

    /// A global or static variable.
    package static func global(_ name: String) -> Self { .step(.global, name) }
    /// An object of this type.
    package static func object(_ name: String) -> Self { .step(.object, name) }
    /// A task.
    package static var task: Self { .step(.task, "") }
    /// A task that keeps the next step in a variable of this function.
    package static func task(in function: String) -> Self { .step(.task, "Task in \(function)") }
}

extension StepPattern: CustomStringConvertible {
    /// The text of the pattern in reports.
    package var description: String {
        switch self {
        case .step(let kind, let name): "\(kind.rawValue) \"\(name)\""
        case .closure(let name): "closure \"\(name)\""
        case .through(let text), .member(let text): "through \"\(text)\""
        case .says(let text): "\"\(text)\""
        }
    }
}
