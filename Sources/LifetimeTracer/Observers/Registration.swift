/// A registration in force, such as an observer, a timer or a request in flight.
///
/// One rule holds for all of them: the registration ends when its last reference is released. ``remove()`` ends it
/// earlier, a ``RegistrationBag`` ends it with the object that owns the bag, and ``keep()`` lets it outlive its last
/// reference. Registrations can be used from any thread.
public protocol Registration: AnyObject, Sendable {
    /// Whether the registration is in force.
    var isInForce: Bool { get }

    /// Ends the registration; further calls do nothing.
    func remove()

    /// Keeps the registration in force after its last reference is released, until it is removed or ends by itself.
    ///
    /// A repeating timer or an observer that is kept and never removed lasts as long as the process.
    func keep()
}

extension Registration {
    /// Puts the registration into a bag, which holds it from then on.
    public func store(in bag: RegistrationBag) {
        bag.insert(self)
    }
}
