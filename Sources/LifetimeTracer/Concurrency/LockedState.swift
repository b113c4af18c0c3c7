/// A type whose values ``Locked`` and ``Monitor`` can hold; function types cannot conform.
///
/// A closure must not be stored bare in a generic value: not as the value itself and not in an optional, an array or a
/// dictionary. In an unoptimised build, each access wraps such a closure in two more and writes the result back. Memory
/// then grows with every access, and releasing the chain overflows the stack. Function types cannot conform to a
/// protocol, so a state with a bare closure does not compile. A struct that contains a closure, such as ``Action``,
/// does not have the problem.
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
