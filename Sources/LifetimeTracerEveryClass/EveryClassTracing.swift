import EveryClass

/// Traces the instances of every class of the program, without a change of the classes.
///
/// One call at the beginning of the program is enough:
/// ```swift
/// try EveryClassTracing.start()
/// ```
/// From then on, each instance of a class that the program or one of its own libraries defines is recorded in
/// `LifetimeRegistry.shared`, also if a task works in the scope of another registry. Classes that record themselves
/// (subclasses of `TracedObject`, classes that conform to `Traced`) are not counted twice. Classes of the system, of
/// Swift and of LifetimeTracer are not recorded.
///
/// `Documentation/AnyProgram.md` states which instances are recorded, and the cost. `tracer-server run` does the same
/// with a program that does not contain this library. The page and `/healthz` of a `TracerServer` in the program show
/// the classes, whichever starts first.
public enum EveryClassTracing {
    /// Starts the tracing, which then lasts until the process ends.
    ///
    /// Takes some milliseconds. Call it as early as possible: objects that were created before are not listed, and
    /// their deaths change no count. Other threads may create and release objects during the call. A second call
    /// changes nothing, or throws the same error again. A fork child inherits the tracing.
    ///
    /// Before anything is changed, the call checks the Swift runtime with an object of each kind. If it throws, nothing
    /// is traced, and the program works as it would without the call.
    ///
    /// - Throws: ``EveryClassError`` with the reason. Examples: another library has replaced `malloc`, as sanitizers
    ///   do; the agent of `tracer-server run` traces the program already; the program has a static Swift standard
    ///   library and was linked without the options that `Documentation/AnyProgram.md` lists.
    public static func start() throws(EveryClassError) {
        if let obstacle = ClassHooks.install(in: .program) { throw EveryClassError(obstacle) }
    }
}
