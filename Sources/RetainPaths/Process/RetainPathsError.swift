/// The reason for which a search has no result.
public enum RetainPathsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Retain paths are not available in this process.
    case unavailable(reason: String)
    /// The search took longer than ``RetainPaths/Options/timeout``.
    ///
    /// `step` names the step that was running: "while it counted the references among 5 blocks".
    case timedOut(seconds: Double, step: String = "")
    /// The heap is too large for ``RetainPaths/Options/memoryLimit``.
    case outOfMemory(limit: UInt64)
    /// A requested object is not traced, is not in the given registry, or was born while tracing was off.
    case notTraced(typeName: String)
    /// The copy of the process ended without an answer.
    case failed(reason: String)

    /// The error and its remedy.
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
