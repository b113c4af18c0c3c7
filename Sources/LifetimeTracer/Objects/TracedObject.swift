/// A base class whose instances are traced from init to deinit.
///
/// A subclass needs no initializer of its own:
/// ```swift
/// final class Session: TracedObject {
///     var user = "nobody"
/// }
/// ```
/// The registry is chosen at birth, ``LifetimeRegistry/current`` of the calling task, and kept for the death, which may happen
/// on any thread. The recorded type is the object's own, not the class that inherits from this one.
///
/// Tracing counts the object as gone when its own `deinit` has run and before its stored properties are released.
open class TracedObject: Traced {
    private let handle: InstanceHandle

    public final var lifetime: Lifetime { Lifetime(id: handle.id, registry: handle.registry) }

    /// Records the birth.
    ///
    /// - Parameters:
    ///   - label: A name for people; costs a little more than a birth without.
    ///   - owner: The object that owns this one; only its id is kept.
    ///   - file: The creation site. An initializer of a subclass that calls `super.init()` is itself that site, unless it
    ///     takes and passes on `file` and `line`.
    ///   - line: The creation site's line.
    public init(
        label: @autoclosure () -> String?, owner: (any Traced)? = nil,
        file: StaticString = #fileID, line: UInt32 = #line
    ) {
        handle = InstanceHandle(
            birthOf: Self.self, label: label(), owner: owner, registry: nil, at: SourceSite(file: file, line: line))
    }

    /// Records the birth.
    ///
    /// - Parameters:
    ///   - file: The creation site.
    ///   - line: The creation site's line.
    public init(file: StaticString = #fileID, line: UInt32 = #line) {
        handle = InstanceHandle(
            birthOf: Self.self, label: nil, owner: nil, registry: nil, at: SourceSite(file: file, line: line))
    }

    deinit {
        handle.recordDeath()
    }
}
