import LifetimeTracer

/// Objects that hold each other until their cycle is broken.
final class Pair: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the creating thread writes the property, before it shares the object.
    var other: Pair?

    /// Creates two objects that only hold each other.
    @inline(never) static func leak(_ label: String) {
        let first = Pair(label: label)
        let second = Pair(label: label)
        first.other = second
        second.other = first
    }
}

/// A generic class whose objects can be chained.
final class Chain<Value>: TracedObject, @unchecked Sendable, LockedState {
    // `@unchecked Sendable` is safe because only the creating thread writes the property, before it shares the object.
    var next: TracedObject?
    var others: [TracedObject] = []
}

final class Screen: TracedObject, @unchecked Sendable, LockedState {}

/// Keeps objects until the end of a test.
final class Shelf: Sendable {
    private let objects = Locked<[Screen]>([])

    func keep(_ screen: Screen) { objects.withLock { $0.append(screen) } }
    func clear() { objects.withLock { $0 = [] } }
    var first: Screen? { objects.withLock { $0.first } }
}
