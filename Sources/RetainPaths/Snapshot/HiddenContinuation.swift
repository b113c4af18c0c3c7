/// A continuation that a search does not find: inverted bit by bit, as the one who asks must not seem to be held by the question.
///
/// A continuation holds its task in no way: the task lives until it is resumed, which its owner does once.
package struct HiddenContinuation<Value: Sendable, Failure: Error>: Sendable {
    private let inverted: UInt

    /// Hides a continuation.
    package init(_ continuation: UnsafeContinuation<Value, Failure>) {
        inverted = ~unsafeBitCast(continuation, to: UInt.self)
    }

    /// Resumes the task; to be called once.
    package consuming func resume(with result: Result<Value, Failure>) {
        unsafeBitCast(~inverted, to: UnsafeContinuation<Value, Failure>.self).resume(with: result)
    }
}
