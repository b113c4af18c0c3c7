public import LifetimeTracer

/// The reason why the classes of the program are not traced.
public struct EveryClassError: DescribedError, Equatable {
    /// The reason.
    public let message: String
    /// The remedy.
    public let hint: String

    init(_ obstacle: String) {
        message = "the program's classes are not traced: \(obstacle)"
        hint = "Documentation/AnyProgram.md explains which programs can be traced"
    }
}
