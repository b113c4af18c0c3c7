/// An object whose lifetime is traced.
///
/// ``TracedObject`` and ``TracedNode`` conform. A class or an actor that holds a ``LifetimeToken`` can conform by handing it
/// out:
/// ```swift
/// actor Session: Traced {
///     nonisolated let lifetimeToken = LifetimeToken(of: Session.self)
///     nonisolated var lifetime: Lifetime { lifetimeToken.lifetime }
/// }
/// ```
public protocol Traced: AnyObject {
    /// Under which id, and in which registry, the object is recorded.
    var lifetime: Lifetime { get }
}

extension Traced {
    /// The object's id: rises with every birth and is never reused.
    public var lifetimeID: InstanceID { lifetime.id }

    /// The registry that was chosen when the object was born.
    public var lifetimeRegistry: LifetimeRegistry { lifetime.registry }

    /// Gives the object a label for people, or takes it away.
    public func setLifetimeLabel(_ label: String?) {
        lifetimeRegistry.setLabel(label, of: lifetimeID)
    }

    /// Says which object owns this one: an instance whose owner has gone is worth a look.
    ///
    /// Only the owner's id is kept. An owner that was born in another registry is not recorded.
    public func setLifetimeOwner(_ owner: (any Traced)?) {
        lifetimeRegistry.setOwner(owner?.lifetime, of: lifetimeID)
    }
}

/// Under which id, and in which registry, an object is recorded.
///
/// Holds no reference to the object.
public struct Lifetime: Sendable {
    /// The object's id.
    public let id: InstanceID
    /// The registry that was chosen when the object was born.
    public let registry: LifetimeRegistry
}
