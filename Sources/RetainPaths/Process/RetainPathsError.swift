/// The reason for which a search has no result.
public enum RetainPathsError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Retain paths are not available in this process.
    case unavailable(reason: String)
    /// The search took longer than ``RetainPaths/Options/timeout``.
    ///
    /// `step` names the step that was running: "while counting the references among 5 blocks".
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
            "The search timed out after \(seconds) seconds\(step.isEmpty ? "" : ", \(step)"); raise its timeout."
        case .outOfMemory(let limit): "The search needs more memory than its limit of \(limit) bytes; raise the limit."
        case .notTraced(let typeName):
            "\(typeName) is not traced. Let the class inherit from TracedObject or store a LifetimeToken, and pass the "
                + "registry in which the object was born."
        case .failed(let reason): "The search failed: \(reason)"
        }
    }
}
