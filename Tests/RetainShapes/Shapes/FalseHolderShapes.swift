import Foundation

/// Healthy objects with one holder each, and with many references that do not retain them.
///
/// No such reference may be reported.
@MainActor package enum FalseHolderShapes {
    package static var screen: Screen?
    package static weak var weakScreen: Screen?
    package static unowned var unownedScreen: Screen?
    package static unowned(unsafe) var unsafeScreen: Screen?
    package static var unmanaged: Unmanaged<Screen>?
    package static var identifier: ObjectIdentifier?
    package static var address = 0
    package static var pointer: UnsafeRawPointer?
    package static var holders: [AnyObject] = []
    package static var weakBoxes: [WeakBox] = []
    package static var identifiers: [ObjectIdentifier] = []
    package static var identifierSet: Set<ObjectIdentifier> = []
    package static var byIdentifier: [ObjectIdentifier: Int] = [:]
    package static var addresses: [Int] = []
    package static var byAddress: [UInt: UInt] = [:]
    package static var pointers: [UnsafeMutableRawPointer] = []
    package static var closures: [() -> Int] = []
    package static var anything: [Any] = []
    package static var texts: [String] = []
    package static var memory: UnsafeMutablePointer<UInt>?
    package static var mixed: [Mixed] = []
    package static var contexts: [UnsafeRawPointer] = []

    package struct WeakBox {
        package weak var screen: Screen?
    }

    package enum Mixed {
        case screen(Screen)
        case address(UInt)
        case place(identifier: ObjectIdentifier, length: Int)
        case text(String)
    }

    static let all = [
        weakReferences, unownedReferences, unmanagedReferences, objectIdentifiers, integers, hashes, closureCaptures,
        weakCaptures,
        unownedCaptures, unownedVariables, enumPayloads, existentials, memoryOfOnesOwn, textsOfAddress, everything,
        tokenOfDeadObject, contextOfThread,
    ]

    /// The path of all healthy objects, with the only true holder.
    private static let healthy = Expectation.held(.global("FalseHolderShapes.screen"))

    /// A shape with one holder and the references that the body creates.
    private static func shape(_ name: String, _ knowers: @escaping @MainActor @Sendable (Screen) -> Void) -> Shape {
        Shape("not held by \(name)", healthy) {
            let made = DetailScreen()
            screen = made
            knowers(made)
            return Planted(made) {
                screen = nil
                forgetAll()
            }
        }
    }

    /// A dead object that an unowned reference keeps in memory, and a live object with the same token.
    ///
    /// Other live objects fill the free memory first, so that the live object lies behind the dead one.
    private static let tokenOfDeadObject = Shape(
        "instance whose token a dead object still contains", healthy, using: ["FalseHolderShapes.unownedScreen"]
    ) {
        for _ in 0..<200 { holders.append(DetailScreen()) }
        leaveDeadObject()
        let made = DetailScreen()
        screen = made
        return Planted(made) {
            screen = nil
            forgetAll()
        }
    }

    @inline(never)
    private static func leaveDeadObject() {
        let dead = DetailScreen()
        unownedScreen = dead
    }

    /// C code that knows an object which a thread's closure holds.
    private static let contextOfThread = Shape(
        "not held by memory of C beside a thread's closure",
        .held(.step(.threadLocal, ""), .object("Thread"), .closure("contextOfThread"))
            .references(2, holders: 1).orGuessed()
    ) {
        let made = DetailScreen()
        let context = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: 1)
        context.initialize(to: Unmanaged.passUnretained(made).toOpaque())
        contexts.append(UnsafeRawPointer(context))
        let (released, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let sleep = ThreadSleep()
        let thread = Thread {
            // The words in C's memory may stand for this reference, which is in no memory.
            let retained = Unmanaged.passRetained(made)
            sleep.begin()
            released.wait()
            retained.release()
            ended.signal()
        }
        thread.start()
        sleep.wait()
        return Planted(made) {
            released.signal()
            ended.wait()
            contexts.removeLast().deallocate()
        }
    }

    private static let weakReferences = shape("weak references") { made in
        weakScreen = made
        let holder = WeakHolder()
        holder.screen = made
        holders = [holder]
        weakBoxes = (0..<20).map { _ in WeakBox(screen: made) }
    }

    private static let unownedReferences = shape("unowned references") { made in
        holders = (0..<20).map { _ in UnownedHolder(made) }
    }

    private static let unmanagedReferences = shape("unmanaged references") { made in
        unmanaged = .passUnretained(made)
        pointer = UnsafeRawPointer(Unmanaged.passUnretained(made).toOpaque())
        pointers = (0..<20).map { _ in Unmanaged.passUnretained(made).toOpaque() }
        holders = [UnmanagedHolder(made)]
    }

    private static let objectIdentifiers = shape("object identifiers") { made in
        identifier = ObjectIdentifier(made)
        identifiers = (0..<20).map { _ in ObjectIdentifier(made) }
        identifierSet = [ObjectIdentifier(made)]
        byIdentifier = [ObjectIdentifier(made): 1]
    }

    private static let integers = shape("integers") { made in
        address = addressOf(made)
        addresses = (0..<50).map { _ in addressOf(made) }
        byAddress = [UInt(bitPattern: addressOf(made)): UInt(bitPattern: addressOf(made))]
    }

    private static let hashes = shape("hashes") { made in
        addresses = (0..<1000).map { number in
            var hasher = Hasher()
            hasher.combine(number)
            hasher.combine(ObjectIdentifier(made))
            return hasher.finalize()
        }
    }

    private static let closureCaptures = shape("closures that capture its address") { made in
        let identifier = ObjectIdentifier(made)
        let address = addressOf(made)
        let pointer = Unmanaged.passUnretained(made)
        closures = [
            { identifier.hashValue },
            { address },
            { addressOf(pointer.takeUnretainedValue()) },
            { identifier.hashValue ^ address },
        ]
    }

    private static let weakCaptures = shape("closures that capture it weakly") { made in
        closures = (0..<20).map { number in { [weak made] in (made?.taps ?? 0) + number } }
    }

    private static let unownedCaptures = shape("closures that capture it unowned") { made in
        closures = (0..<20).map { number in { [unowned made] in made.taps + number } }
        closures += (0..<20).map { number in { [unowned(unsafe) made] in made.taps + number } }
    }

    /// The program contains no information on whether a variable outside of types retains its object.
    ///
    /// It is certain only that there is one strong reference.
    private static let unownedVariables = Shape(
        "beside unowned variables", .held(.global("FalseHolderShapes.")).references(1, holders: 3),
        using: ["FalseHolderShapes.screen"]
    ) {
        let made = DetailScreen()
        screen = made
        unownedScreen = made
        unsafeScreen = made
        return Planted(made) {
            screen = nil
            forgetAll()
        }
    }

    private static let enumPayloads = shape("payloads with its address") { made in
        mixed = (0..<20).flatMap { number -> [Mixed] in
            [
                .address(UInt(bitPattern: addressOf(made))), .place(identifier: ObjectIdentifier(made), length: number),
                .text("\(number)"),
            ]
        }
    }

    private static let existentials = shape("existentials of its address") { made in
        anything = [
            ObjectIdentifier(made), addressOf(made), Unmanaged.passUnretained(made),
            Unmanaged.passUnretained(made).toOpaque(),
            WeakBox(screen: made), (addressOf(made), "two"),
        ]
    }

    private static let memoryOfOnesOwn = shape("memory of one's own with its address") { made in
        let words = UnsafeMutablePointer<UInt>.allocate(capacity: 64)
        words.initialize(repeating: UInt(bitPattern: addressOf(made)), count: 64)
        memory = words
    }

    private static let textsOfAddress = shape("texts with its address") { made in
        texts = (0..<20).map { "\($0): 0x" + String(addressOf(made), radix: 16) }
    }

    private static let everything = shape("anything of all this") { made in
        weakScreen = made
        unmanaged = .passUnretained(made)
        identifier = ObjectIdentifier(made)
        address = addressOf(made)
        holders = [UnownedHolder(made), UnmanagedHolder(made)]
        byIdentifier = [ObjectIdentifier(made): 1]
        closures = [{ [weak made] in made?.taps ?? 0 }, { [unowned made] in made.taps }]
        anything = [ObjectIdentifier(made), addressOf(made)]
    }

    private static func forgetAll() {
        weakScreen = nil
        unownedScreen = nil
        unsafeScreen = nil
        unmanaged = nil
        identifier = nil
        address = 0
        pointer = nil
        holders = []
        weakBoxes = []
        identifiers = []
        identifierSet = []
        byIdentifier = [:]
        addresses = []
        byAddress = [:]
        pointers = []
        closures = []
        anything = []
        texts = []
        mixed = []
        memory?.deallocate()
        memory = nil
    }
}

private final class WeakHolder {
    weak var screen: Screen?
}

private final class UnownedHolder {
    private unowned let screen: Screen
    private unowned(unsafe) let again: Screen
    private unowned let perhaps: Screen?

    init(_ screen: Screen) {
        self.screen = screen
        again = screen
        perhaps = screen
    }
}

private final class UnmanagedHolder {
    private let screen: Unmanaged<Screen>
    private let pointer: UnsafeMutableRawPointer
    private let identifier: ObjectIdentifier
    private let address: UInt

    init(_ screen: Screen) {
        self.screen = .passUnretained(screen)
        pointer = Unmanaged.passUnretained(screen).toOpaque()
        identifier = ObjectIdentifier(screen)
        address = UInt(bitPattern: pointer)
    }
}

func addressOf(_ screen: Screen) -> Int {
    Int(bitPattern: Unmanaged.passUnretained(screen).toOpaque())
}
