/// A known pattern of a leak, with what to do about it.
public struct RetainHint: Sendable, Hashable {
    /// The pattern.
    public enum Pattern: String, Sendable, CaseIterable {
        case notificationCenterCapture, hubCapture, parentAndChild, ownClosure, runningTimer, runningTask,
            growingContainer
        case requestInFlight
        case lostContinuation, streamTermination, sessionDelegate, runningClosure
    }

    /// The pattern.
    public let pattern: Pattern
    /// What to do, with the names of this case.
    public let text: String
}
