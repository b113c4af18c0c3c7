internal import LifetimeTracer

// The types of `PatternShapes`. Types marked `@unchecked Sendable` are safe because one thread plants the shapes.

/// Listeners by event, each with a number by which it is removed.
package final class Emitter: @unchecked Sendable {
    private var listeners: [String: [Int: (String) -> Void]] = [:]
    private var last = 0

    func on(_ event: String, _ listener: @escaping (String) -> Void) {
        last += 1
        listeners[event, default: [:]][last] = listener
    }

    func removeAll() { listeners = [:] }
}

final class Listening: TracedObject, @unchecked Sendable {
    private var heard: [String] = []

    func start(_ emitter: Emitter) {
        emitter.on("start") { _ in }
        emitter.on("message") { self.heard.append($0) }
    }
}

/// Dependencies by type: functions that make them, and instances that exist once.
package final class Services: @unchecked Sendable {
    private var factories: [ObjectIdentifier: Any] = [:]
    private var instances: [ObjectIdentifier: AnyObject] = [:]

    func register<Service>(_ type: Service.Type, _ factory: @escaping () -> Service) {
        factories[ObjectIdentifier(type)] = factory
    }

    func keep(_ instance: some AnyObject) { instances[ObjectIdentifier(type(of: instance))] = instance }

    func removeAll() {
        factories = [:]
        instances = [:]
    }
}

/// A function that keeps its results.
@inline(never)
func remembering<Key: Hashable, Value>(_ function: @escaping (Key) -> Value) -> (Key) -> Value {
    var results: [Key: Value] = [:]
    return { key in
        if let known = results[key] { return known }
        let result = function(key)
        results[key] = result
        return result
    }
}

/// A tree of path components.
package final class RouteNode: @unchecked Sendable {
    private var children: [String: RouteNode] = [:]
    private var handler: (([String]) -> Void)?

    func add(_ path: ArraySlice<String>, _ handler: @escaping ([String]) -> Void) {
        guard let first = path.first else {
            self.handler = handler
            return
        }
        let child = children[first] ?? RouteNode()
        children[first] = child
        child.add(path.dropFirst(), handler)
    }
}

/// A value that describes a part of a screen.
package protocol ViewNode {}

struct Text: ViewNode { let text: String }

struct Button: ViewNode {
    let title: String
    let action: () -> Void
}

struct Padded<Content: ViewNode>: ViewNode {
    var edges = (1.0, 2.0)
    let content: Content
}

struct Stack<First: ViewNode, Second: ViewNode>: ViewNode {
    let first: First
    let second: Second
}

struct Page {
    let title: String
    let screen: Screen
}

/// A value whose contents are copied when a second owner changes them.
package struct Document {
    private final class Contents {
        var pages: [Page]

        init(_ pages: [Page]) { self.pages = pages }
    }

    private var contents = Contents([])

    mutating func add(_ page: Page) {
        if !isKnownUniquelyReferenced(&contents) { contents = Contents(contents.pages) }
        contents.pages.append(page)
    }
}

private protocol StoredValue {}

/// Values by their types.
package struct Storage {
    private struct Value<Service>: StoredValue {
        var service: Service
        var onShutdown: ((Service) throws -> Void)?
    }

    private var values: [ObjectIdentifier: any StoredValue] = [:]

    mutating func set<Service>(_ service: Service) {
        values[ObjectIdentifier(Service.self)] = Value(service: service)
    }
}

/// Callbacks, the first of which needs no array.
package struct CallbackList {
    private var first: (() -> CallbackList)?
    private var further: [() -> CallbackList]?

    mutating func append(_ callback: @escaping () -> CallbackList) {
        if first == nil {
            first = callback
        } else {
            further = (further ?? []) + [callback]
        }
    }
}

protocol PresentedDelegate: AnyObject {}

struct Configuration {
    var title: String
    var delegate: (any PresentedDelegate)?
}

final class Presented {
    private let configuration: Configuration

    init(_ configuration: Configuration) { self.configuration = configuration }
}

final class Presenter: TracedObject, PresentedDelegate, @unchecked Sendable {
    var child: Presented?
}

/// Calls a closure at its end.
final class Token {
    private let end: () -> Void

    init(_ end: @escaping () -> Void) { self.end = end }

    deinit { end() }
}

final class TokenKeeper {
    var token: Token?
}

struct Registered {
    var byName: [String: Screen]
}

/// A value beside the memory of its lock, in one allocation.
final class LockStorage<Value>: ManagedBuffer<Value, UInt64> {
    static func make(_ value: Value) -> LockStorage<Value> {
        let made = create(minimumCapacity: 1) { _ in value }
        made.withUnsafeMutablePointerToElements { $0.initialize(to: 0) }
        return unsafeDowncast(made, to: LockStorage<Value>.self)
    }
}

final class BoxOwner {
    private let storage: LockStorage<Registered>

    init(storage: LockStorage<Registered>) { self.storage = storage }
}

final class Coordinator: TracedObject, @unchecked Sendable {
    final class Child {
        var onFinish: ((Child) -> Void)?
    }

    var children: [Child] = []

    func start() {
        let child = Child()
        child.onFinish = { child in self.children.removeAll { $0 === child } }
        children.append(child)
    }
}

/// A cache of the entries that were used last, in a list and a dictionary.
package final class RecentlyUsed {
    private final class Entry {
        let screen: Screen
        var next: Entry?
        weak var previous: Entry?

        init(_ screen: Screen) { self.screen = screen }
    }

    private var entries: [String: Entry] = [:]
    private var first: Entry?
    private unowned(unsafe) var last: Entry?

    func use(_ screen: Screen, key: String) {
        let entry = Entry(screen)
        entry.next = first
        first?.previous = entry
        first = entry
        if last == nil { last = entry }
        entries[key] = entry
    }
}
