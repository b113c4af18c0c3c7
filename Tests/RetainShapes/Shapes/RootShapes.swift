package import LifetimeTracer
internal import RetainShapesNeighbour

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A global variable.
@MainActor package var globalScreen: Screen?
/// A private global variable.
@MainActor private var privateScreen: Screen?
/// A global array.
@MainActor private var privateScreens: [Screen] = []
/// A global struct.
@MainActor private var globalPlace = RootShapes.Place(number: 1, screen: nil)

/// The roots at which paths begin.
@MainActor package enum RootShapes {
    package static var screen: Screen?
    private static var privateScreen: Screen?
    static var thread: BlockedThread?
    package static var handle: Handle?
    package static let service = Service()

    package struct Place {
        package var number: Int
        package var screen: Screen?
    }

    /// A singleton.
    package final class Service: @unchecked Sendable {
        // `@unchecked Sendable` is safe because only the main actor uses the service.
        package static let shared = Service()
        package var current: Screen?
        package var before: Screen?
    }

    static let all = [
        staticVariable, privateStatic, global, privateGlobal, globalArray, globalStruct, singleton, liveStack,
        liveStackArray,
        threadLocal, rawMemory, memoryOfEndedThread, ownRegistry, twoProperties, twoRoots, victim, node,
    ]

    static let staticVariable = Shape("static variable", .held(.global("RootShapes.screen"))) {
        let made = DetailScreen()
        screen = made
        return Planted(made) { screen = nil }
    }

    static let privateStatic = Shape("private static variable", .held(.global("RootShapes.privateScreen"))) {
        let made = DetailScreen()
        privateScreen = made
        touch(privateScreen)
        return Planted(made) { privateScreen = nil }
    }

    static let global = Shape("global variable", .held(.global("globalScreen"))) {
        let made = DetailScreen()
        globalScreen = made
        return Planted(made) { globalScreen = nil }
    }

    static let privateGlobal = Shape("private global variable", .held(.global("privateScreens"), .through("[0]"))) {
        let made = DetailScreen()
        privateScreens = [made]
        touch(privateScreens[0])
        return Planted(made) { privateScreens = [] }
    }

    static let globalArray = Shape("private global optional", .held(.global("privateScreen"))) {
        let made = DetailScreen()
        rememberInGlobal(made)
        return Planted(made) { rememberInGlobal(nil) }
    }

    static let globalStruct = Shape("struct in a private global", .held(.global("globalPlace"))) {
        let made = DetailScreen()
        globalPlace.screen = made
        touch(globalPlace.screen)
        return Planted(made) { globalPlace.screen = nil }
    }

    static let singleton = Shape(
        "singleton", .held(.global("Service.shared"), .through("current"))
    ) {
        let made = DetailScreen()
        letBeSeen(Service.shared)
        Service.shared.current = made
        return Planted(made) { Service.shared.current = nil }
    }

    static let liveStack = Shape("local on a live stack", .held(.step(.stack, "")), using: ["RootShapes.thread"]) {
        let planted = Locked<Planted?>(nil)
        thread = BlockedThread { wait in
            let made = DetailScreen()
            letBeSeen(made)
            planted.withLock { $0 = Planted(made) { endThread() } }
            wait()
            withExtendedLifetime(made) {}
        }
        return planted.first("the thread waits")
    }

    static let liveStackArray = Shape(
        "in a local array on a live stack", .held(.step(.stack, ""), .through("[1]")), using: ["RootShapes.thread"]
    ) {
        let planted = Locked<Planted?>(nil)
        thread = BlockedThread { wait in
            keepInLocalArray(planted, wait)
        }
        return planted.first("the thread waits")
    }

    static let threadLocal = Shape("thread-local", .held(.says("")), using: ["RootShapes.thread"]) {
        let planted = Locked<Planted?>(nil)
        thread = BlockedThread { wait in
            var key = pthread_key_t()
            let failure = pthread_key_create(&key) { value in
                // Balances the retain below.
                #if canImport(Darwin)
                Unmanaged<Screen>.fromOpaque(value).release()
                #else
                if let value { Unmanaged<Screen>.fromOpaque(value).release() }
                #endif
            }
            precondition(failure == 0, "pthread_key_create: error \(failure)")
            keepInThread(key, planted)
            overwriteStack()
            wait()
        }
        return planted.first("the thread waits")
    }

    static let rawMemory = Shape("memory of one's own", .held(.global("RawPlace.memory"))) {
        let made = DetailScreen()
        let memory = UnsafeMutablePointer<Screen>.allocate(capacity: 4)
        memory.initialize(to: Screen())
        (memory + 1).initialize(to: made)
        RawPlace.memory = memory
        return Planted(made) {
            RawPlace.memory?.deinitialize(count: 2)
            RawPlace.memory?.deallocate()
            RawPlace.memory = nil
        }
    }

    static let memoryOfEndedThread = Shape(
        "memory that malloc had cached for a thread that has ended", .held(.global("RawPlace.reused"))
    ) {
        let made = DetailScreen()
        let memory = MarkedMemory.allocate().bindMemory(to: Screen.self, capacity: 1)
        memory.initialize(to: made)
        RawPlace.reused = memory
        return Planted(made) {
            RawPlace.reused?.deinitialize(count: 1)
            free(RawPlace.reused)
            RawPlace.reused = nil
        }
    }

    static let ownRegistry = Shape(
        "instance of a registry of one's own", .held(.global("RootShapes.screen")), alone: true
    ) {
        let made = LifetimeRegistry().withCurrent { DetailScreen() }
        screen = made
        return Planted(made) { screen = nil }
    }

    static let twoProperties = Shape(
        "two properties of one object", .held(.global("RootShapes.service"), .object("Service")).references(2)
    ) {
        let made = DetailScreen()
        letBeSeen(service)
        service.current = made
        service.before = made
        return Planted(made) {
            service.current = nil
            service.before = nil
        }
    }

    static let twoRoots = Shape(
        "two holders", .held(.global("")).references(2), using: ["RootShapes.screen", "RootShapes.service"]
    ) {
        let made = DetailScreen()
        screen = made
        service.current = made
        return Planted(made) {
            screen = nil
            service.current = nil
        }
    }

    static let victim = Shape(
        "victim of another",
        .held(.global("RootShapes.screen"), .object("DetailScreen"), .through("children")).asVictim()
    ) {
        let parent = DetailScreen()
        let child = Screen()
        parent.children = [Screen(), child]
        screen = parent
        return Planted(child, with: [parent.lifetimeID]) { screen = nil }
    }

    static let node = Shape(
        "child of a node", .held(.global("RawPlace.root"), .object("TracedNode"), .through("children"))
    ) {
        let parent = TracedNode()
        let child = TracedNode()
        parent.addChild(child)
        RawPlace.root = parent
        return Planted(child) { RawPlace.root = nil }
    }

    fileprivate static func endThread() {
        thread?.release()
        thread = nil
    }
}

/// Variables that point to memory that the program allocated itself.
@MainActor package enum RawPlace {
    package static var memory: UnsafeMutablePointer<Screen>?
    package static var reused: UnsafeMutablePointer<Screen>?
    package static var root: TracedNode?
}

@MainActor @inline(never)
private func rememberInGlobal(_ screen: Screen?) {
    privateScreen = screen
    touch(privateScreen)
}

@inline(never)
private func touch(_ screen: Screen?) { screen?.tap() }

@inline(never)
private func keepInLocalArray(_ planted: Locked<Planted?>, _ wait: () -> Void) {
    var screens = [Screen(), DetailScreen()]
    letBeSeen(screens[1])
    screens.append(Screen())
    planted.withLock { $0 = Planted(screens[1]) { RootShapes.endThread() } }
    overwriteStack()
    wait()
    screens.removeFirst()
    withExtendedLifetime(screens) {}
}

@inline(never)
private func keepInThread(_ key: pthread_key_t, _ planted: Locked<Planted?>) {
    let made = DetailScreen()
    planted.withLock { $0 = Planted(made) { RootShapes.endThread() } }
    // Released by the key's destructor when the thread ends.
    pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
}
