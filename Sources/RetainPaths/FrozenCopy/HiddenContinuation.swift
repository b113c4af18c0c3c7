/// A continuation that is stored inverted, so that a search does not find it.
///
/// Otherwise the question would seem to hold the requesting task.
///
/// Hiding the continuation is safe because a continuation does not retain its task. The task lives until it is resumed,
/// which the continuation's owner does once.
package struct HiddenContinuation<Value: Sendable, Failure: Error>: Sendable {
    private let inverted: UInt

    /// Hides a continuation.
    package init(_ continuation: UnsafeContinuation<Value, Failure>) {
        inverted = ~unsafeBitCast(continuation, to: UInt.self)
    }

    /// Resumes the task.
    ///
    /// Must be called once.
    package consuming func resume(with result: Result<Value, Failure>) {
        unsafeBitCast(~inverted, to: UnsafeContinuation<Value, Failure>.self).resume(with: result)
    }
}
