import Foundation
internal import LifetimeTracer

/// Cycles in which the last reference is not the one to give up, or cannot be weak.
@MainActor enum HintCycleShapes {
    static let all = [operation, recursive, mutual, wrapper, storage, reference, termination]

    private static let operation = Shape(
        "hint: completion block that captures its operation",
        .leakedByCycle(.closure("closure #"), .object("BlockOperation"))
            .hinting(.ownClosure, "Capture BlockOperation weakly in the closure, [weak …]")
    ) {
        let screen = DetailScreen()
        let operation = BlockOperation {}
        operation.completionBlock = { if operation.isFinished { screen.tap() } }
        let hidden = Hidden(operation)
        return Planted(screen) { hidden.object.completionBlock = nil }
    }

    private static let recursive = Shape(
        "hint: closure that captures the variable in which it is",
        .leakedByCycle(.closure("closure #1"))
            .hinting(.ownClosure, "captures the variable that holds the closure itself. Closures cannot be captur")
    ) {
        let screen = DetailScreen()
        var visit: ((Int) -> Int)?
        visit = { depth in
            guard depth >= 0 else {
                visit = nil
                return 0
            }
            return depth == 0 ? screen.identifier : visit?(depth - 1) ?? 0
        }
        let hidden = HiddenClosure(visit)
        return Planted(screen) { hidden.call(-1) }
    }

    private static let mutual = Shape(
        "hint: two closures that capture each other's variable",
        .leakedByCycle(.closure("closure #"), .closure("closure #"))
            .hinting(.ownClosure, "hold each other through the variables that they capture. Closures cannot be captur")
    ) {
        let screen = DetailScreen()
        var even: ((Int) -> Int)?
        var odd: ((Int) -> Int)?
        even = { $0 > 0 ? odd?($0 - 1) ?? 0 : screen.identifier }
        odd = { depth in
            guard depth >= 0 else {
                even = nil
                return 0
            }
            return depth > 0 ? even?(depth - 1) ?? 0 : 1
        }
        let hidden = HiddenClosure(odd)
        return Planted(screen) { hidden.call(-1) }
    }

    private static let termination = Shape(
        "hint: termination handler of an object's own stream",
        .cycle(.object("Feed"), .through("source"), .closure("closure #1"))
            .hinting(.streamTermination, "A stream that has not ended keeps its termination handler closure #1 in")
            .giving("closure #1")
    ) {
        let feed = Feed()
        feed.open()
        let hidden = Hidden(feed)
        return Planted(feed) { hidden.object.source?.finish() }
    }

    private static let wrapper = Shape(
        "hint: property wrapper that holds its object",
        .cycle(.object("Album"), .through("cached"), .object("Cell"))
            .giving("Cell").hinting(.parentAndChild, "the storage of Album._cached.cell, refers back to Album. Remove")
    ) {
        let album = Album()
        album.cached = [album]
        let hidden = Hidden(album)
        return Planted(album) { hidden.object.cached = nil }
    }

    private static let storage = Shape(
        "hint: locked box that holds its object",
        .cycle(.object("Album"), .through("shared.storage"), .object("SharedStorage"))
            .giving("SharedStorage").hinting(.parentAndChild, "the storage of Album.shared.storage, refers back to")
    ) {
        let album = Album()
        album.shared.storage.value = [album]
        let hidden = Hidden(album)
        return Planted(album) { hidden.object.shared.storage.value = [] }
    }

    private static let reference = Shape(
        "hint: reference to an array that holds its object",
        .cycle(.object("Album"), .through("pages"), .object("Reference"))
            .giving("Reference").hinting(.parentAndChild, "the storage of Album.pages, refers back to Album. Remove")
    ) {
        let album = Album()
        album.pages.value = [album]
        let hidden = Hidden(album)
        return Planted(album) { hidden.object.pages.value = [] }
    }
}

/// An object that keeps both ends of a stream.
private final class Feed: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the shapes are planted one at a time on one thread.
    private var stream: AsyncStream<Int>?
    fileprivate var source: AsyncStream<Int>.Continuation?

    func open() {
        let (stream, source) = AsyncStream<Int>.makeStream()
        source.onTermination = { _ in self.source = nil }
        self.stream = stream
        self.source = source
    }
}

/// An object with storage of its own in three forms.
private final class Album: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the shapes are planted one at a time on one thread.
    @Cached var cached: Any?
    let shared = Shared<[Album]>([])
    let pages = Reference<[Album]>([])
}

/// Keeps its value in an object, so that copies share the value.
@propertyWrapper private struct Cached<Value> {
    final class Cell {
        var value: Value?
    }

    let cell = Cell()

    var wrappedValue: Value? {
        get { cell.value }
        nonmutating set { cell.value = newValue }
    }
}

private struct Shared<Value> {
    let storage: SharedStorage<Value>

    init(_ value: Value) { storage = SharedStorage(value) }
}

private final class SharedStorage<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

private final class Reference<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

/// A non-retaining reference to a closure that no search can find: its two words, inverted bit by bit.
///
/// The closure must be alive when it is called.
private struct HiddenClosure: Sendable {
    private struct Body {
        var call: (Int) -> Int
    }

    private let function, context: UInt

    init(_ closure: ((Int) -> Int)?) {
        guard let closure else { preconditionFailure("there is a closure") }
        // Safe: a function is two words, its code and its context, and the words are only stored. The structure keeps
        // the function from being wrapped for use as a generic value.
        let words = unsafeBitCast(Body(call: closure), to: (UInt, UInt).self)
        (function, context) = (~words.0, ~words.1)
    }

    func call(_ number: Int) {
        // Safe: these are the words of a closure that is alive, because a shape calls it only to free the object.
        _ = unsafeBitCast((~function, ~context), to: Body.self).call(number)
    }
}
