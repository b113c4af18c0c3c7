import Foundation
import Synchronization

@testable import RetainPaths

/// The object that the shapes hold.
class Planted: Hashable, @unchecked Sendable {
    let number: Int

    init(_ number: Int = 0) {
        self.number = number
    }

    static func == (one: Planted, other: Planted) -> Bool { one === other }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

    /// The address of the object.
    var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }
}

protocol PlantedProtocol: AnyObject {}
extension Planted: PlantedProtocol {}
protocol Describing { var text: String { get } }
extension Planted: Describing { var text: String { "planted" } }

struct Position {
    var owner: Planted
    var column = 1
}

struct Wide: Describing {
    var text: String { "wide" }
    var numbers = (1, 2, 3, 4)
    var owner: Planted
}

@propertyWrapper
struct Wrapped<Value> {
    var wrappedValue: Value
}

enum State {
    case idle
    case loading(Planted)
    case loaded(items: Planted, count: Int)
    case failed(any Error)
    case finished
    indirect case nested(Planted)
}

enum Phase {
    case none
    case running(Planted, Planted)
}

indirect enum Tree {
    case leaf(Planted)
    case node(Tree, Tree)
    case empty
}

struct Failure: Error {
    var culprit: Planted
    var code = 3
}

final class Plain {
    var strong: Planted
    var optional: Planted?
    var nothing: Planted?
    var number = 3
    var text: String
    lazy var lazily = Planted(7)
    @Wrapped var wrapped: Planted
    var pair: (Planted, Planted)
    var labelled: (first: Int, second: Planted)
    var position: Position
    let flag = true

    init(_ planted: [Planted]) {
        strong = planted[0]
        optional = planted[1]
        text = ""
        wrapped = planted[2]
        pair = (planted[3], planted[4])
        labelled = (1, planted[5])
        position = Position(owner: planted[6])
    }
}

final class Loose {
    weak var weakly: Planted?
    weak var weakProtocol: (any PlantedProtocol)?
    unowned var unowned: Planted
    unowned var unownedProtocol: any PlantedProtocol
    unowned var unownedOptional: Planted?
    unowned(unsafe) var unsafely: Planted
    var unmanaged: Unmanaged<Planted>
    var identifier: ObjectIdentifier
    var pointer: UnsafeMutableRawPointer
    var address: UInt
    var type: Planted.Type = Planted.self
    var anyType: any PlantedProtocol.Type = Planted.self
    var strong: Planted

    init(_ planted: Planted) {
        weakly = planted
        weakProtocol = planted
        unowned = planted
        unownedProtocol = planted
        unownedOptional = planted
        unsafely = planted
        unmanaged = .passUnretained(planted)
        identifier = ObjectIdentifier(planted)
        pointer = Unmanaged.passUnretained(planted).toOpaque()
        address = planted.address
        strong = planted
    }
}

class Base {
    var inBase: Planted
    init(_ planted: Planted) { inBase = planted }
}

class GenericMiddle<Value>: Base {
    var value: Value
    var values: [Value]

    init(_ planted: Planted, value: Value) {
        self.value = value
        values = [value]
        super.init(planted)
    }
}

final class Derived: GenericMiddle<Position?> {
    var inDerived: Planted?
}

final class Enums {
    var single = Phase.none
    var state = State.idle
    var tree = Tree.empty
    var twice: Planted??
    var result: Result<Planted, any Error> = .failure(CancellationError())
    var choice: Position?
    var strings: (String?, Substring?) = (nil, nil)
}

final class Existentials {
    var any: Any = 0
    var describing: (any Describing)?
    var object: AnyObject?
    var bounded: (any PlantedProtocol)?
    var composed: (Planted & PlantedProtocol)?
    var error: (any Error)?
    var sequence: (any Sequence<Int>)?
    var hashable: AnyHashable?
    var collection: any Collection = CollectionOfOne(1)
}

final class GenericHolder<First, Second: Sequence> {
    var first: First
    var second: Second
    var element: Second.Element?
    var function: (First) -> Second?

    init(_ first: First, _ second: Second) {
        self.first = first
        self.second = second
        element = second.first { _ in true }
        function = { _ in nil }
    }
}

final class PackHolder<each Value> {
    var values: (repeat each Value)
    var strong = Planted()

    init(_ values: repeat each Value) {
        self.values = (repeat each values)
    }
}

final class FixedHolder<Value> {
    var before = Planted(1)
    var cells: InlineArray<3, Value>
    var after = Planted(2)

    init(_ value: Value) {
        cells = InlineArray(repeating: value)
    }
}

struct Resource: ~Copyable {
    var owner: Planted
    var number = 1
}

struct GenericResource<Value: ~Copyable>: ~Copyable {
    var number = 1
    var value: Value
}

final class Uncopied {
    let mutex: Mutex<Planted>
    let state: Mutex<[String: Planted]>
    let optional: Mutex<Position?>
    let counter = Atomic<Int>(1)
    var resource: Resource
    var nested: GenericResource<Resource>
    let reference: AtomicLazyReference<Planted>
    var last: Planted

    init(_ planted: Planted) {
        mutex = Mutex(planted)
        state = Mutex(["key": planted])
        optional = Mutex(Position(owner: planted))
        resource = Resource(owner: planted)
        nested = GenericResource(value: Resource(owner: planted))
        reference = AtomicLazyReference()
        _ = reference.storeIfNil(planted)
        last = planted
    }
}

final class GenericMutexHolder<Value> {
    let mutex: Mutex<Value>
    init(_ value: sending Value) { mutex = Mutex(value) }
}

actor PlantedActor {
    var item: Planted
    init(_ planted: Planted) { item = planted }
}

final class Buffer: ManagedBuffer<Position, Planted> {}

/// A function whose words can be read without a reabstraction thunk around it.
///
/// `@unchecked Sendable` is safe because no code calls the function.
struct Function: @unchecked Sendable {
    let body: () -> Void

    /// The address of the context, which lives as long as this value.
    var context: UInt {
        withUnsafeBytes(of: self) { $0.load(fromByteOffset: 8, as: UInt.self) }
    }
}
