/// The observers of a table, in the order in which they were added.
struct ObserverList<Observer: Sendable>: Sendable {
    private var observers: [UInt64: Observer] = [:]
    private var lastKey: UInt64 = 0

    var count: Int { observers.count }

    /// The observers, oldest first.
    var all: [Observer] { observers.sorted { $0.key < $1.key }.map(\.value) }

    /// Adds an observer.
    ///
    /// - Returns: The key that removes the observer.
    mutating func add(_ observer: Observer) -> UInt64 {
        lastKey += 1
        observers[lastKey] = observer
        return lastKey
    }

    /// Removes an observer.
    ///
    /// - Returns: The observer, which the caller must release outside the lock because its captures may be released
    ///   with it.
    mutating func remove(_ key: UInt64) -> Observer? {
        observers.removeValue(forKey: key)
    }
}
