/// Traces a class or an actor that cannot inherit from ``TracedObject``.
///
/// Store one in a constant of the class, and conform the class to ``Traced``. The token records a birth when it is
/// created, and a death when it is destroyed with the object that holds it:
/// ```swift
/// final class Connection: SomeoneElsesBase, Traced {
///     let lifetimeToken = LifetimeToken(of: Connection.self)
/// }
/// ```
/// Without the conformance, instances are counted, but cannot be passed as an owner or to an expectation. A token also
/// works in initializers that fail or throw. It records the type that you pass, so an instance of a subclass counts as
/// its superclass. A lifetime token is not an observer registration; for those see ``ObserverToken``.
@frozen
public struct LifetimeToken: ~Copyable, Sendable {
    @usableFromInline let handle: InstanceHandle

    /// The id and the registry of the object that holds the token.
    public var lifetime: Lifetime { Lifetime(id: handle.id, registry: handle.registry) }

    /// Records the birth of the object that holds the token.
    ///
    /// - Parameters:
    ///   - type: The type under which the object is counted.
    ///   - file: The file of the creation site.
    ///   - line: The line of the creation site.
    @inlinable
    public init(of type: AnyClass, file: StaticString = #fileID, line: Int = #line) {
        handle = InstanceHandle(birthOf: type, file: file, line: line)
    }

    /// Records the birth of the object that holds the token, with a label, an owner or an explicit registry.
    ///
    /// Costs slightly more than the plain initializer.
    ///
    /// - Parameters:
    ///   - type: The type under which the object is counted.
    ///   - label: A human-readable name.
    ///   - owner: The object that owns the holder of the token; only the owner's id is kept.
    ///   - registry: The registry that records the birth; by default ``LifetimeRegistry/current``.
    ///   - file: The file of the creation site.
    ///   - line: The line of the creation site.
    @inlinable
    @_disfavoredOverload
    public init(
        of type: AnyClass, label: String? = nil, owner: (any Traced)? = nil,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: Int = #line
    ) {
        if let registry {
            handle = InstanceHandle(
                birthOf: type, label: label, owner: owner, registry: registry, file: file, line: line)
        } else {
            handle = InstanceHandle(birthOf: type, file: file, line: line)
            if label != nil || owner != nil { handle.annotate(label, owner) }
        }
    }

    @inlinable deinit {
        handle.recordDeath()
    }
}
