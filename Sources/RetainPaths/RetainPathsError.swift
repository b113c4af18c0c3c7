/// Why a search has no answer.
public enum RetainPathsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Retain paths cannot be had in this process.
    case unavailable(reason: String)
    /// The search worked longer than ``RetainPaths/Options/timeout``; `step` says what took so long: "while it counted references".
    case timedOut(seconds: Double, step: String = "")
    /// The heap is larger than ``RetainPaths/Options/memoryLimit`` allows for.
    case outOfMemory(limit: UInt64)
    /// An object that was asked for is not traced, not in the registry that was given, or was born while tracing was off.
    case notTraced(typeName: String)
    /// The copy of the process ended without an answer.
    case failed(reason: String)

    /// What happened, and what to do.
    public var description: String {
        switch self {
        case .unavailable(let reason): "Retain paths are not available here: \(reason)"
        case .timedOut(let seconds, let step):
            "The search was given up after \(seconds) seconds\(step.isEmpty ? "" : ", \(step)"); allow it more time."
        case .outOfMemory(let limit): "The search needs more than the \(limit) bytes it may use; allow it more memory."
        case .notTraced(let typeName):
            "\(typeName) is not traced. Let the class inherit from TracedObject or store a LifetimeToken, and name the registry "
                + "that it was born in."
        case .failed(let reason): "The search ended without an answer: \(reason)"
        }
    }
}
