import LifetimeTracer

/// Objects that hold each other, until they are told not to.
final class Pair: TracedObject, @unchecked Sendable {
    // Safe: written by the thread that made it, before anybody else has it.
    var other: Pair?

    /// Two that nobody but each of them holds.
    @inline(never) static func leak(_ label: String) {
        let first = Pair(label: label)
        let second = Pair(label: label)
        first.other = second
        second.other = first
    }
}

/// A generic class, one of which leads to the next.
final class Chain<Value>: TracedObject, @unchecked Sendable, LockedState {
    // Safe: written by the thread that made it, before anybody else has it.
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
