/// A table of values for objects that releases each value as soon as its object dies.
///
/// A map that merely has weak keys keeps a dead object's value until the next access. This table compares keys by
/// instance id, so an object at the address of a dead one never finds the value of the dead one. A value must not hold
/// its own key strongly, because then neither would ever be released.
///
/// A value is released on the thread on which its key dies, outside the table's lock, before the key's stored
/// properties.
public final class WeakKeyTable<Key: Traced & SendableMetatype, Value: Sendable>: Sendable {
    private struct Entry: LockedState {
        var value: Value
        let registry: LifetimeRegistry
        let deathAction: UInt64
    }

    // Part of the key, because ids are unique only within a registry.
    private struct EntryKey: Hashable, LockedState {
        let registry: ObjectIdentifier
        let id: InstanceID

        init(_ lifetime: Lifetime) {
            registry = ObjectIdentifier(lifetime.registry)
            id = lifetime.id
        }
    }

    private let entries = Locked<[EntryKey: Entry]>([:])

    /// Creates an empty table.
    public init() {}

    deinit {
        for (key, entry) in entries.withLock({ $0 }) {
            entry.registry.removeDeathAction(entry.deathAction, of: key.id)
        }
    }

    /// The number of values.
    public var count: Int {
        entries.withLock { $0.count }
    }

    /// The value for an object.
    ///
    /// Setting a value for an object that is being destroyed has no effect.
    public subscript(key: Key) -> Value? {
        get { entries.withLock { $0[EntryKey(key.lifetime)]?.value } }
        set {
            if let newValue { set(newValue, for: key.lifetime) } else { remove(EntryKey(key.lifetime)) }
        }
    }

    private func set(_ value: Value, for lifetime: Lifetime) {
        let key = EntryKey(lifetime)
        let (found, old) = entries.withLock { entries -> (Bool, Value?) in
            // The result carries the old value out of the lock, so that its deinit does not run under it.
            guard let old = entries[key]?.value else { return (false, nil) }
            entries[key]?.value = value
            return (true, old)
        }
        withExtendedLifetime(old) {}
        guard !found else { return }
        let action = lifetime.registry.onDeath(of: lifetime.id) { [weak self] in self?.forget(key) }
        guard let action else { return }
        let replaced = entries.withLock {
            $0.updateValue(Entry(value: value, registry: lifetime.registry, deathAction: action), forKey: key)
        }
        // Another thread may have set a value meanwhile; one death action is enough.
        if let replaced { replaced.registry.removeDeathAction(replaced.deathAction, of: key.id) }
        withExtendedLifetime(replaced) {}
    }

    private func remove(_ key: EntryKey) {
        let entry = entries.withLock { $0.removeValue(forKey: key) }
        if let entry { entry.registry.removeDeathAction(entry.deathAction, of: key.id) }
        withExtendedLifetime(entry) {}
    }

    /// Removes the value of a dead key.
    private func forget(_ key: EntryKey) {
        entries.removeAndRelease { $0.removeValue(forKey: key) }
    }
}
