import ClassZooNeighbour
import Foundation

// The classes of the zoo. Each name is unique, because the test compares counts by name.

class Plain { var first = 1, second = 2 }
final class Final {
    let word: String
    init(_ word: String) { self.word = word }
}
final class Empty {}
class Base { var number = 1 }
class Middle: Base { var text = "middle" }
final class Leaf: Middle { var list = [1, 2] }
final class OddSize { var byte: UInt8 = 1 }
final class OddTail {
    var number = 1
    var flag = true
    var half: UInt16 = 2
}
final class Wide { var words = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) }
/// Too large for a trailer.
final class Enormous { var words: InlineArray<5000, Int> = .init(repeating: 1) }
final class Aligned { var vector = SIMD16<Float>(repeating: 1) }
final class WithDeinit {
    let log: Log
    init(_ log: Log) { self.log = log }
    deinit { log.lines += 1 }
}
final class Log { var lines = 0 }
final class Lazy {
    lazy var child = LazyChild()
    var number = 0
}
final class LazyChild {}
final class Observed {
    var number = 0 { didSet { changes += 1 } }
    var changes = 0
}

final class Generic<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
class GenericBase<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}
final class GenericLeaf<Value>: GenericBase<[Value]> {}
final class ConcreteLeaf: GenericBase<Int> {}
enum Outer {
    final class Nested {}
    struct Inner<Value> {
        final class Deep {
            var value: Value?
            init() {}
        }
    }
}
private final class Hidden {}
func makeHidden() -> AnyObject { Hidden() }
func makeLocal() -> AnyObject {
    final class Local { var number = 1 }
    return Local()
}

final class FromNeighbour: NeighbourBase { var text = "text" }
final class FromNeighbourGeneric: NeighbourGeneric<String> { var flag = true }
class FromNeighbourAgain<Value>: NeighbourGeneric<Value> { var extra = 1 }

actor Actor {
    var number = 1
    func next() -> Int {
        number += 1
        return number
    }
}
@globalActor actor Global {
    static let shared = Global()
    var number = 0
}
@MainActor final class Isolated {
    var number = 1
    nonisolated init() {}
}
// `@unchecked Sendable` is safe because a queue is thread-safe.
final class Executed: @unchecked Sendable { let queue = DispatchQueue(label: "executed") }

/// Fails before, between and after its fields.
final class Failable {
    let first: Plain
    let second: Plain
    init?(failingAt step: Int) {
        if step == 0 { return nil }
        first = Plain()
        if step == 1 { return nil }
        second = Plain()
        if step == 2 { return nil }
    }
}
struct Failure: Error {}
class Throwing {
    let child: Plain
    init(failingAt step: Int) throws {
        if step == 0 { throw Failure() }
        child = Plain()
        if step == 1 { throw Failure() }
    }
}
/// Fails after its superclass's initializer, in which the object became complete.
final class ThrowingLeaf: Throwing {
    let own: Plain
    init(leafFailingAt step: Int) throws {
        if step == 0 { throw Failure() }
        own = Plain()
        try super.init(failingAt: step - 1)
        if step == 3 { throw Failure() }
    }
}
final class Convenient {
    let number: Int
    init(number: Int) { self.number = number }
    convenience init?(text: String) {
        guard let number = Int(text) else { return nil }
        self.init(number: number)
        if number < 0 { return nil }
    }
}
class Required {
    let number: Int
    required init(_ number: Int) { self.number = number }
}
final class RequiredLeaf: Required { var more = 1 }
protocol Makable: AnyObject { init() }
final class Made: Makable { init() {} }
func make<Value: Makable>(_ type: Value.Type) -> Value { type.init() }

final class Node {
    weak var parent: Node?
    var children: [Node] = []
}
final class Ring { var next: Ring? }
final class Watched { var number = 1 }
final class Watcher {
    weak var weakly: Watched?
    unowned let strictly: Watched
    init(_ it: Watched) {
        strictly = it
        weakly = it
    }
}
final class UnownedHolder {
    unowned(safe) var held: Watched
    init(_ held: Watched) { self.held = held }
}
/// Hands itself out of its deinit to a function that retains and releases it.
final class Farewell {
    let log: Log
    init(_ log: Log) { self.log = log }
    deinit { note(self) }
    var number = 1
}
@inline(never) func note(_ object: Farewell) {
    let held: [Farewell] = [object]
    held[0].log.lines += 1
}

final class Shown: CustomStringConvertible { var description: String { "shown" } }
final class Coded: Codable {
    var text = "text"
    var numbers = [1, 2]
}
final class Keyed: Hashable {
    let number: Int
    init(_ number: Int) { self.number = number }
    static func == (left: Keyed, right: Keyed) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
final class Wrong: Error { let reason = "wrong" }
final class Sequenced: Sequence, IteratorProtocol {
    var left = 3
    func next() -> Int? {
        left -= 1
        return left < 0 ? nil : left
    }
}
// `@unchecked Sendable` is safe here and for `Worked` because one thread uses the objects.
final class OwnDecoder: JSONDecoder, @unchecked Sendable { var number = 1 }
final class Described: NSObject { var number = 1 }
final class Formatted: Formatter { override func string(for object: Any?) -> String? { "formatted" } }
final class Worked: Operation, @unchecked Sendable { override func main() {} }
indirect enum Tree {
    case leaf(Plain)
    case branch(Tree, Tree)
}
struct BigValue {
    var words = (1, 2, 3, 4, 5, 6, 7, 8)
    var plain = Plain()
}
