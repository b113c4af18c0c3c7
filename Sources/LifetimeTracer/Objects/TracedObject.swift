/// A base class whose instances are traced from init to deinit.
///
/// A subclass needs no initializer of its own:
/// ```swift
/// final class Session: TracedObject {
///     var user = "nobody"
/// }
/// ```
/// A birth is recorded in ``LifetimeRegistry/current`` of the calling task. The same registry records the death, which
/// may happen on any thread. The recorded type is the dynamic type of the object, not the direct subclass of
/// `TracedObject`.
///
/// The object counts as dead when the `deinit` of `TracedObject` runs: after the `deinit` of its subclasses and before
/// its stored properties are released.
open class TracedObject: Traced {
    /// Records the object's birth and death.
    public final let lifetimeToken: LifetimeToken

    /// Records the birth.
    ///
    /// - Parameters:
    ///   - label: A human-readable name; a birth with a label costs slightly more.
    ///   - owner: The object that owns this one; only the owner's id is kept.
    ///   - file: The file of the creation site. If an initializer of a subclass calls `super.init()`, that call is the
    ///     creation site, unless the initializer takes `file` and `line` and passes them on. If the compiler inserts
    ///     the call to `super.init()`, the site is unknown.
    ///   - line: The line of the creation site.
    @inlinable
    public init(
        label: borrowing String? = nil, owner: borrowing (any Traced)? = nil,
        file: StaticString = #fileID, line: Int = #line
    ) {
        // Not `Self.self`: a function that uses it is inlined only into methods of the class. So a birth would cost
        // another call.
        lifetimeToken = LifetimeToken(of: type(of: self), file: file, line: line)
        // `borrowing` parameters and `switch`: any other way to test them for nil copies them in a debug build.
        switch label {
        case .none:
            switch owner {
            case .none: return
            case .some: break
            }
        case .some: break
        }
        lifetimeToken.handle.annotate(copy label, copy owner)
    }

    // Inlined into the deinit of subclasses, which saves a call.
    @inlinable deinit {}
}
