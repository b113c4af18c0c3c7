/// An object whose lifetime is traced.
///
/// ``TracedObject`` and ``TracedNode`` conform. In a class with another superclass, a `Sendable` class or an actor, one
/// stored constant is enough:
/// ```swift
/// actor Session: Traced {
///     let lifetimeToken = LifetimeToken(of: Session.self)
/// }
/// ```
/// The constant is as visible as the class: `public let` in a public class.
public protocol Traced: AnyObject {
    /// Records the object's birth and death.
    var lifetimeToken: LifetimeToken { get }
}

extension Traced {
    /// The object's id, and the registry that recorded its birth.
    public var lifetime: Lifetime { lifetimeToken.lifetime }

    /// The object's id, which rises with every birth and is never reused.
    public var lifetimeID: InstanceID { lifetime.id }

    /// The registry that recorded the object's birth.
    public var lifetimeRegistry: LifetimeRegistry { lifetime.registry }

    /// Sets the object's human-readable label, or removes the label when `label` is `nil`.
    public func setLifetimeLabel(_ label: String?) {
        lifetimeRegistry.setLabel(label, of: lifetimeID)
    }

    /// Declares the object that owns this one, so that the tracer can point out instances that outlive their owner.
    ///
    /// Only the owner's id is kept. An owner that was born in another registry is not recorded.
    public func setLifetimeOwner(_ owner: (any Traced)?) {
        lifetimeRegistry.setOwner(owner?.lifetime, of: lifetimeID)
    }
}

/// The id of an object and the registry that recorded its birth.
///
/// A lifetime holds no reference to the object.
public struct Lifetime: Sendable {
    /// The object's id.
    public let id: InstanceID
    /// The registry that recorded the object's birth.
    public let registry: LifetimeRegistry
}
