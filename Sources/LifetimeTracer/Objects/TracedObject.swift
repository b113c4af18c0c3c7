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
    @usableFromInline final let handle: InstanceHandle

    /// Under which id, and in which registry, the object is recorded.
    public final var lifetime: Lifetime { Lifetime(id: handle.id, registry: handle.registry) }

    /// Records the birth.
    ///
    /// - Parameters:
    ///   - label: A name for people; a birth with one costs a little more.
    ///   - owner: The object that owns this one; only its id is kept.
    ///   - file: The creation site. An initializer of a subclass that calls `super.init()` is itself that site, unless it
    ///     takes and passes on `file` and `line`. Where `super.init()` is left to the compiler no site is known.
    ///   - line: The creation site's line.
    @inlinable
    public init(
        label: borrowing String? = nil, owner: borrowing (any Traced)? = nil,
        file: StaticString = #fileID, line: UInt32 = #line
    ) {
        handle = InstanceHandle(birthOf: Self.self, file: file, line: line)
        // Borrowed and switched over, because any other way to look at them copies them in a debug build.
        switch label {
        case .none:
            switch owner {
            case .none: return
            case .some: break
            }
        case .some: break
        }
        handle.annotate(copy label, copy owner)
    }

    @inlinable deinit {
        handle.recordDeath()
    }
}
