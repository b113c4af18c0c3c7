/// A type whose values ``Locked`` and ``Monitor`` can hold; no function type can be one.
///
/// A closure must not be stored bare in a generic value, be it the value itself, an optional, an array or a dictionary: in an
/// unoptimised build each access wraps the closure in two more and writes that back, so that memory grows with every access, and
/// releasing the chain overflows the stack. Function types cannot conform to a protocol, so such a state does not compile. A
/// struct with a closure in it, such as ``Action``, does not have the problem.
package protocol LockedState: Sendable {}

extension Optional: LockedState where Wrapped: LockedState {}
extension Array: LockedState where Element: LockedState {}
extension Dictionary: LockedState where Key: LockedState, Value: LockedState {}
extension Set: LockedState where Element: LockedState {}
extension Result: LockedState where Success: LockedState {}

extension Bool: LockedState {}
extension Int: LockedState {}
extension Int32: LockedState {}
extension Int64: LockedState {}
extension UInt: LockedState {}
extension UInt8: LockedState {}
extension UInt32: LockedState {}
extension UInt64: LockedState {}
extension Double: LockedState {}
extension String: LockedState {}
extension ObjectIdentifier: LockedState {}
extension ContinuousClock.Instant: LockedState {}

extension Task: LockedState {}
extension UnsafeContinuation: LockedState {}
extension CheckedContinuation: LockedState {}
extension AsyncStream.Continuation: LockedState {}
