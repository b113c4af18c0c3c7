public import LifetimeTracer
import TracerBase

/// The reason for which a search has no result.
public enum RetainPathsError: DescribedError, Hashable {
    /// Retain paths are not available in this process.
    case unavailable(reason: String)
    /// The search took longer than ``RetainPaths/Options/timeout``.
    ///
    /// `step` names the step that was running: "while counting the references among 5 blocks".
    case timedOut(after: Duration, step: String = "")
    /// The heap is too large for ``RetainPaths/Options/memoryLimit``, in bytes.
    case outOfMemory(limit: Int)
    /// A requested object is not traced, is not in the given registry, or was born while tracing was off.
    case notTraced(type: TypeName)
    /// The capture has no line with that name or type, or its blocks have no type: `C and unknown`, free memory.
    case unknownType(String)
    /// The task that asked was cancelled.
    case cancelled
    /// The copy of the process ended without an answer.
    case failed(reason: String)

    /// An error of a search, which is this type or a cancellation.
    init(_ error: any Error) {
        switch error {
        case let error as RetainPathsError: self = error
        case is CancellationError: self = .cancelled
        default: self = .failed(reason: "\(error)")
        }
    }

    /// The description of the failure.
    public var message: String {
        switch self {
        case .unavailable(let reason): "Retain paths are not available here: \(reason)"
        case .timedOut(let timeout, let step):
            "The search timed out after \(timeout.inWords)\(step.isEmpty ? "" : ", \(step)")."
        case .outOfMemory(let limit): "The search needs more memory than its limit of \(limit) bytes."
        case .notTraced(let type): "\(type) is not traced."
        case .unknownType(let name): "The capture has no objects of a type \"\(name.withEscapes())\"."
        case .cancelled: "The search was cancelled."
        case .failed(let reason): "The search failed: \(reason)"
        }
    }

    /// The remedy; empty if the message contains it.
    public var hint: String {
        switch self {
        case .timedOut: "Raise its timeout."
        case .outOfMemory: "Raise the limit."
        case .notTraced:
            "Let the class inherit from TracedObject or store a LifetimeToken, "
                + "and pass the registry in which the object was born."
        case .unknownType: "Take another capture, or see the types of the capture."
        case .cancelled: "Ask again from a task that is not cancelled."
        case .unavailable, .failed: ""
        }
    }
}
