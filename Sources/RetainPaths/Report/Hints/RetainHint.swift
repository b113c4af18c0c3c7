/// A known pattern of a leak, with its remedy.
public struct RetainHint: Sendable, Hashable {
    /// The pattern.
    public enum Pattern: String, Sendable, CaseIterable {
        /// A notification centre keeps a closure that captures the instance.
        case notificationCenterCapture
        /// Another live object keeps such a closure, as an `ObserverHub` does.
        case hubCapture
        /// Objects hold each other, without a closure.
        case parentAndChild
        /// An object and a closure in its property hold each other, or closures hold each other through variables.
        case ownClosure
        /// A timer, or a delayed call of Dispatch, keeps a closure that captures the instance.
        case runningTimer
        /// A Dispatch source that is not a timer keeps a closure that captures the instance.
        case eventSource
        /// A task that has not ended holds the instance.
        case runningTask
        /// A reference to a task that has ended keeps its result or error, which holds the instance.
        case finishedTask
        /// A collection that a root reaches keeps the instance, and the program does not remove it.
        case growingContainer
        /// A request in flight keeps its completion handler, which captures the instance.
        case requestInFlight
        /// A task waits for a continuation that was never resumed.
        case lostContinuation
        /// The termination handler of a stream captures the instance.
        case streamTermination
        /// The closure that produces the elements of a stream captures the instance.
        case streamProducer
        /// A URL session retains its delegate.
        case sessionDelegate
        /// A function that has not returned runs or keeps a closure that captures the instance.
        case runningClosure
    }

    /// The pattern.
    public let pattern: Pattern
    /// The remedy, with the names of this case.
    public let text: String
}
