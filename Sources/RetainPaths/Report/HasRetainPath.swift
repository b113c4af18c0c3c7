/// A value with the path or cycle that holds an object.
package protocol HasRetainPath {
    /// The path from the root to the object, or the steps of the cycle.
    var path: [RetainStep] { get }
    /// The position of the cycle in ``path``, if there is one.
    var cycle: ClosedRange<Int>? { get }
    /// The step of ``path`` whose reference should most likely be given up.
    var suspect: Int? { get }
}

extension RetainExplanation: HasRetainPath {}
