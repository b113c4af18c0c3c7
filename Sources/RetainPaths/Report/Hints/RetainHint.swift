/// A known pattern of a leak, with its remedy.
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
    /// The remedy, with the names of this case.
    public let text: String
}
