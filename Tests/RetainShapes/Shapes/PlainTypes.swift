import Synchronization

/// The superclass of the planted objects that nobody traces.
@MainActor package class PlainObject {
    nonisolated private static let count = Atomic(0)

    /// The number of live objects.
    nonisolated package static var live: Int { count.load(ordering: .relaxed) }

    init() { Self.count.add(1, ordering: .relaxed) }

    deinit { Self.count.subtract(1, ordering: .relaxed) }
}

/// An object with a property of each kind that can hold another object.
final class PlainNode: PlainObject {
    var next: PlainNode?
    var other: PlainObject?
    var children: [PlainNode] = []
    var slice: ArraySlice<PlainNode> = []
    var objects: [any AnyObject] = []
    var table: [String: PlainNode] = [:]
    var keys: Set<PlainKey> = []
    var nested: [String: [PlainNode]] = [:]
    var pair: (PlainNode?, Int) = (nil, 0)
    var anything: Any?
    var error: (any Error)?
    var source: (any PlainSource<Int>)?
    var tree = PlainTree.leaf(nil)
    var action: (() -> Void)?
    var actions: [() -> Void] = []
    weak var weakly: PlainNode?
    unowned var unownedly: PlainNode?
    var calls = 0

    /// A use of the object, for closures that capture it.
    @inline(never)
    func touch() { calls += 1 }
}

/// A key that holds the object to which its entry belongs.
final class PlainKey: PlainObject, @MainActor Hashable {
    var node: PlainNode?

    static func == (left: PlainKey, right: PlainKey) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A generic class.
final class PlainBox<Value>: PlainObject {
    var value: Value?
}

/// A subclass of a generic class.
class PlainBase<Value>: PlainObject {
    var held: Value?
}

final class PlainDerived: PlainBase<PlainNode> {
    var own = 0
}

indirect enum PlainTree {
    case leaf(PlainNode?)
    case branch(PlainTree, PlainTree)
}

/// A value that is too large for an existential container.
struct PlainRow {
    var numbers = (1, 2, 3)
    var node: PlainNode?
}

struct PlainFailure: Error {
    var node: PlainNode?
}

/// A protocol that is constrained where it is used as a type.
protocol PlainSource<Value> {
    associatedtype Value
}

/// A value that is too large for an existential container.
struct PlainSequence: PlainSource {
    typealias Value = Int
    var numbers = (1, 2, 3)
    var node: PlainNode?
}

/// A value with a subscript, of which a key path holds the argument.
@MainActor struct PlainGrid {
    subscript(key: PlainKey) -> Int { key.node?.calls ?? 0 }
}

/// A buffer whose elements lie behind its header.
final class PlainBuffer: ManagedBuffer<Int, PlainNode> {
    deinit {
        // Safe: the header is the number of initialized elements.
        _ = withUnsafeMutablePointers { header, elements in elements.deinitialize(count: header.pointee) }
    }
}
