package import RetainPaths

/// What a path must tell at some place.
package enum StepPattern: Sendable {
    /// A step of this kind whose name contains the text.
    case step(RetainStep.Kind, String)
    /// A closure of this name, be it a step of its own or what a step holds the next through.
    case closure(String)
    /// A property, element or capture.
    case through(String)
    /// Anything.
    case says(String)

    /// A global or static variable.
    package static func global(_ name: String) -> Self { .step(.global, name) }
    /// An object of this type.
    package static func object(_ name: String) -> Self { .step(.object, name) }
    /// A task.
    package static var task: Self { .step(.task, "") }
}

extension StepPattern: CustomStringConvertible {
    /// As it stands in a report of what was expected.
    package var description: String {
        switch self {
        case .step(let kind, let name): "\(kind.rawValue) \"\(name)\""
        case .closure(let name): "closure \"\(name)\""
        case .through(let text): "through \"\(text)\""
        case .says(let text): "\"\(text)\""
        }
    }
}
