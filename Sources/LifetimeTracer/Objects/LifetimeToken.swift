/// Traces a class or an actor that cannot inherit from ``TracedObject``.
///
/// Store one in a constant; it records a birth when it is made and a death when it is destroyed with its holder:
/// ```swift
/// final class Connection: SomeoneElsesBase {
///     private let lifetimeToken = LifetimeToken(of: Connection.self)
/// }
/// ```
/// It works in initializers that fail or throw, too. The recorded type is the one that is given: a subclass counts as its
/// superclass. It is no observer registration; for those see ``ObserverToken``.
@frozen
public struct LifetimeToken: ~Copyable, Sendable {
    @usableFromInline let handle: InstanceHandle

    /// The holder's id and registry.
    public var lifetime: Lifetime { Lifetime(id: handle.id, registry: handle.registry) }

    /// Records the birth of the holder.
    ///
    /// - Parameters:
    ///   - type: The type under which the holder is counted.
    ///   - file: The creation site.
    ///   - line: The creation site's line.
    @inlinable
    public init(of type: AnyClass, file: StaticString = #fileID, line: UInt32 = #line) {
        handle = InstanceHandle(birthOf: type, file: file, line: line)
    }

    /// Records the birth of the holder with a label, an owner or in a given registry; costs a little more.
    ///
    /// - Parameters:
    ///   - type: The type under which the holder is counted.
    ///   - label: A name for people.
    ///   - owner: The object that owns the holder; only its id is kept.
    ///   - registry: Where to record; by default ``LifetimeRegistry/current``.
    ///   - file: The creation site.
    ///   - line: The creation site's line.
    @inlinable
    @_disfavoredOverload
    public init(
        of type: AnyClass, label: String? = nil, owner: (any Traced)? = nil,
        registry: LifetimeRegistry? = nil, file: StaticString = #fileID, line: UInt32 = #line
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
