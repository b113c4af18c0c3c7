internal import LifetimeTracer
internal import RetainShapesEvolving
import Synchronization

/// Properties of classes and structs: lazy, wrapped, guarded by a mutex, in structs in structs.
@MainActor package enum PropertyShapes {
    package static var holder: AnyObject?
    package static var outer: Outer?
    package static var registered: Callback?

    package struct Callback {
        let function: @convention(c) (UnsafeMutableRawPointer?) -> Void
        let context: UnsafeMutableRawPointer
    }

    package struct Outer {
        package var middle: Middle
        package struct Middle {
            package var number = 1
            package var inner: Inner
        }
        package struct Inner {
            package var text = "inner"
            package var screen: Screen
        }
    }

    static let all = [
        structs, lazyProperty, wrapped, mutex, genericMutex, optionalStruct, tokenClass, rawPointer, opaquePointer,
        callback, stableSuperclass,
    ]

    static let structs = Shape(
        "struct in struct in struct",
        .held(.global("PropertyShapes.holder"), .object("OuterHolder"), .through("outer.middle.inner.screen"))
    ) {
        let screen = DetailScreen()
        holder = OuterHolder(Outer(middle: .init(inner: .init(screen: screen))))
        return Planted(screen) { holder = nil }
    }

    /// The subclass has no methods to override, so its metadata has nothing but the offsets of its properties.
    static let stableSuperclass = Shape(
        "property behind those of a superclass with a stable interface",
        .held(.global("PropertyShapes.holder"), .object("ScreenPanel"), .through("screen")).certain()
    ) {
        let panel = ScreenPanel()
        holder = panel
        return Planted(panel.screen) { holder = nil }
    }

    static let lazyProperty = Shape(
        "lazy property", .held(.global("PropertyShapes.holder"), .object("LazyHolder"), .through("screen"))
    ) {
        let lazyHolder = LazyHolder()
        holder = lazyHolder
        return Planted(lazyHolder.screen) { holder = nil }
    }

    static let wrapped = Shape(
        "property wrapper", .held(.global("PropertyShapes.holder"), .object("WrappedHolder"), .through("screen"))
    ) {
        let screen = DetailScreen()
        let wrapping = WrappedHolder()
        wrapping.screen = screen
        holder = wrapping
        return Planted(screen) { holder = nil }
    }

    static let rawPointer = Shape(
        "raw pointer for which the object was retained",
        .held(.global("PropertyShapes.holder"), .object("RawPointerHolder"), .through("context"))
    ) {
        let screen = DetailScreen()
        // Balanced when the shape is undone.
        let context = Unmanaged.passRetained(screen).toOpaque()
        holder = RawPointerHolder(context)
        return Planted(screen) {
            if let held = holder as? RawPointerHolder { Unmanaged<Screen>.fromOpaque(held.context).release() }
            holder = nil
        }
    }

    static let opaquePointer = Shape(
        "optional opaque pointer for which the object was retained",
        .held(.global("PropertyShapes.holder"), .object("OpaquePointerHolder"), .through("handle"))
    ) {
        let screen = DetailScreen()
        // Balanced when the shape is undone.
        let context = Unmanaged.passRetained(screen).toOpaque()
        holder = OpaquePointerHolder(OpaquePointer(context))
        return Planted(screen) {
            if let handle = (holder as? OpaquePointerHolder)?.handle {
                Unmanaged<Screen>.fromOpaque(UnsafeRawPointer(handle)).release()
            }
            holder = nil
        }
    }

    static let callback = Shape(
        "optional struct of a function of C and a context", .held(.global("PropertyShapes.registered"))
    ) {
        let screen = DetailScreen()
        // Balanced when the shape is undone.
        let context = Unmanaged.passRetained(screen).toOpaque()
        registered = Callback(
            function: { context in context.map { Unmanaged<Screen>.fromOpaque($0).takeUnretainedValue().tap() } },
            context: context)
        return Planted(screen) {
            if let context = registered?.context { Unmanaged<Screen>.fromOpaque(context).release() }
            registered = nil
        }
    }

    static let mutex = Shape(
        "state of a mutex", .held(.global("PropertyShapes.holder"), .object("MutexHolder"), .through("state"))
    ) {
        let screen = DetailScreen()
        let guarded = MutexHolder()
        guarded.state.withLock { $0.screens.append(screen) }
        holder = guarded
        return Planted(screen) { holder = nil }
    }

    private static let genericMutex = Shape(
        "mutex of an enum in a generic class",
        .held(
            .global("PropertyShapes.holder"), .object("Mailbox"), .through("state.waiting"), .through("[0].item")
        ).certain()
    ) {
        let screen = DetailScreen()
        let mailbox = Mailbox<Screen>()
        mailbox.add(screen)
        holder = mailbox
        return Planted(screen) { holder = nil }
    }

    static let optionalStruct = Shape("optional struct", .held(.global("PropertyShapes.outer"))) {
        let screen = DetailScreen()
        outer = Outer(middle: .init(inner: .init(screen: screen)))
        return Planted(screen) { outer = nil }
    }

    static let tokenClass = Shape("class with a token", .held(.global("PropertyShapes.holder"))) {
        let connection = Connection()
        holder = connection
        return Planted(connection) { holder = nil }
    }
}

private final class OuterHolder {
    let outer: PropertyShapes.Outer

    init(_ outer: PropertyShapes.Outer) { self.outer = outer }
}

private final class ScreenPanel: Panel {
    let screen = DetailScreen()
}

private final class LazyHolder {
    lazy var screen = DetailScreen()
}

@propertyWrapper private struct Counted<Value> {
    var count = 0
    var wrappedValue: Value {
        didSet { count += 1 }
    }

    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

private final class WrappedHolder {
    @Counted var screen: Screen?
}

private final class MutexHolder: Sendable {
    struct State {
        var screens: [Screen] = []
    }

    let state = Mutex(State())
}

/// Without metadata of its own, the mutex is known by a symbol with the requirements of the class's parameter.
private final class Mailbox<Item: Sendable>: Sendable {
    private enum State {
        case empty
        case waiting([(item: Item, number: Int)])
        case closed
    }

    private let state = Mutex<State>(.empty)

    func add(_ item: Item) {
        state.withLock { $0 = .waiting([(item, 1)]) }
    }
}

/// A class that cannot inherit from `TracedObject`, traced by a lifetime token.
private final class Connection: Traced {
    let lifetimeToken = LifetimeToken(of: Connection.self)
}

private final class RawPointerHolder {
    let context: UnsafeMutableRawPointer

    init(_ context: UnsafeMutableRawPointer) { self.context = context }
}

private final class OpaquePointerHolder {
    let handle: OpaquePointer?

    init(_ handle: OpaquePointer) { self.handle = handle }
}
