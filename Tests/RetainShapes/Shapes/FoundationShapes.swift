import Foundation
internal import LifetimeTracer

/// Objects that Foundation retains.
@MainActor package enum FoundationShapes {
    package static var observer: (any NSObjectProtocol)?
    package static let center = NotificationCenter()
    package static var array = NSMutableArray()
    package static var dictionary = NSMutableDictionary()
    package static var object: NSObject?
    package static var operations = OperationQueue()
    package static var cache = NSCache<NSString, Screen>()
    package static var note: Notification?
    package static var text: NSMutableAttributedString?
    package static var decoder = JSONDecoder()
    package static let loop = RunLoopThread()
    package static var mapped: Data?

    static let all = [
        defaultCenter, ownCenter, timer, loopBlock, nsObject, nsArray, nsDictionary, nsSet, operation, cached, userInfo,
        decoderInfo, foundationSubclass, errorInfo, threadDictionary, ownCache, attribute, deallocator,
    ]

    private static let deallocator = Shape(
        "object whose memory a data has, in the deallocator of the data",
        .held(.global("FoundationShapes.mapped"), .closure("closure #1")).giving("FoundationShapes.mapped")
            .hinting(.hubCapture, "Give up the Data when DetailScreen is no longer needed.")
    ) {
        let screen = DetailScreen()
        let bytes = UnsafeMutableRawPointer.allocate(byteCount: 4_096, alignment: 16)
        bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 4_096)
        mapped = Data(
            bytesNoCopy: bytes, count: 4_096,
            deallocator: .custom { bytes, count in
                screen.taps += count
                bytes.deallocate()
            })
        return Planted(screen) { mapped = nil }
    }

    static let defaultCenter = Shape(
        "observer in NotificationCenter.default",
        .held(.says("NotificationCenter"), .closure("in DetailScreen.observe")).hinting(.notificationCenterCapture),
        using: ["FoundationShapes.observer"]
    ) {
        let screen = DetailScreen()
        observer = screen.observe(.default)
        return Planted(screen) {
            if let observer { NotificationCenter.default.removeObserver(observer) }
            observer = nil
        }
    }

    static let ownCenter = Shape(
        "observer in a notification centre",
        .held(.global("FoundationShapes."), .closure("in DetailScreen.observe")).hinting(.notificationCenterCapture),
        using: ["FoundationShapes.observer"]
    ) {
        let screen = DetailScreen()
        observer = screen.observe(center)
        return Planted(screen) {
            if let observer { center.removeObserver(observer) }
            observer = nil
        }
    }

    static let timer = Shape(
        "timer of a run loop",
        .held(.says(""), .object("Timer"), .closure("closure #1"), .object("Clip"), .through("screen"))
    ) {
        let screen = DetailScreen()
        // Foundation never frees a timer, so an intermediate object holds the screen and releases it on request.
        let clip = Clip(screen)
        let timer = Timer(timeInterval: 3600, repeats: true) { _ in clip.letGoIfToldTo() }
        loop.add(timer)
        let (hiddenTimer, hiddenClip) = (Hidden(timer), Hidden(clip))
        return Planted(screen) {
            hiddenClip.object.isToLetGo.withLock { $0 = true }
            loop.fireLast(hiddenTimer)
        }
    }

    static let loopBlock = Shape("block of a run loop", .held(.says(""))) {
        let screen = DetailScreen()
        loop.add(blockOf: screen)
        return Planted(screen) { loop.runBlocks() }
    }

    static let nsObject = Shape("subclass of NSObject", .held(.global("FoundationShapes.object"))) {
        let delegate = Delegate()
        object = delegate
        return Planted(delegate) { object = nil }
    }

    static let nsArray = Shape("NSMutableArray", .held(.global("FoundationShapes.array"), .object("NSMutableArray"))) {
        let screen = DetailScreen()
        array.add(Screen())
        array.add(screen)
        return Planted(screen) { array = NSMutableArray() }
    }

    static let nsDictionary = Shape(
        "NSMutableDictionary", .held(.global("FoundationShapes.dictionary"), .object("NSMutableDictionary"))
    ) {
        let screen = DetailScreen()
        dictionary["userDidLogIn"] = screen
        return Planted(screen) { dictionary = NSMutableDictionary() }
    }

    static let nsSet = Shape(
        "NSMutableSet in an NSObject", .held(.global("FoundationShapes.object"), .through("members"))
    ) {
        let delegate = Delegate()
        let keeper = Keeper()
        keeper.members.add(delegate)
        object = keeper
        return Planted(delegate) { object = nil }
    }

    static let operation = Shape(
        "operation in a suspended queue", .held(.global("FoundationShapes.operations"), .through("__firstOperation"))
    ) {
        let screen = DetailScreen()
        operations.isSuspended = true
        let number = screen.taps + 1
        operations.addOperation { screen.taps += number }
        return Planted(screen) { operations.isSuspended = false }
    }

    static let cached = Shape("NSCache", .held(.global("FoundationShapes.cache")).giving("FoundationShapes.cache")) {
        let screen = DetailScreen()
        cache.setObject(screen, forKey: "detail")
        return Planted(screen) { cache.removeAllObjects() }
    }

    static let ownCache = Shape(
        "NSCache in a property", .held(.global("FoundationShapes.object"), .through("cache")).giving("Album .cache")
    ) {
        let screen = DetailScreen()
        let album = Album()
        album.cache.setObject(screen, forKey: "detail")
        object = album
        return Planted(screen) { object = nil }
    }

    static let userInfo = Shape(
        "user info of a notification", .held(.global("FoundationShapes.note"), .through("[\"screen\"]"))
    ) {
        let screen = DetailScreen()
        note = Notification(name: Notification.Name("x"), object: nil, userInfo: ["screen": screen])
        return Planted(screen) { note = nil }
    }

    static let decoderInfo = Shape("user info of a decoder", .held(.global("FoundationShapes.decoder"))) {
        let screen = DetailScreen()
        if let key = CodingUserInfoKey(rawValue: "screen") { decoder.userInfo = [key: screen] }
        return Planted(screen) { decoder = JSONDecoder() }
    }

    static let foundationSubclass = Shape(
        "subclass of a class of Foundation",
        .held(.global("FoundationShapes.object"), .object("ScreenOperation"), .through("screen"))
    ) {
        let screen = DetailScreen()
        object = ScreenOperation(screen)
        return Planted(screen) { object = nil }
    }

    static let errorInfo = Shape(
        "user info of an NSError", .held(.global("FoundationShapes.object"), .through("[\"screen\"]"))
    ) {
        let screen = DetailScreen()
        object = NSError(domain: "shapes", code: 1, userInfo: ["screen": screen])
        return Planted(screen) { object = nil }
    }

    /// Foundation keeps the attributes in an object of Core Foundation, to which an `OpaquePointer` refers.
    static let attribute = Shape(
        "attribute of a text", .held(.global("FoundationShapes.text"), .object("Clip"), .through("screen"))
    ) {
        let screen = DetailScreen()
        // Foundation never frees attributes, so an intermediate object holds the screen and releases it on request.
        let clip = Clip(screen)
        let attributed = NSMutableAttributedString(string: "a link")
        attributed.addAttribute(.init("screen"), value: clip, range: NSRange(location: 2, length: 4))
        text = attributed
        let hidden = Hidden(clip)
        return Planted(screen) {
            hidden.object.isToLetGo.withLock { $0 = true }
            hidden.object.letGoIfToldTo()
            text = nil
        }
    }

    static let threadDictionary = Shape("thread dictionary", .held(.says(""))) {
        let screen = DetailScreen()
        loop.remember(screen)
        return Planted(screen) { loop.forget() }
    }
}

extension DetailScreen {
    @inline(never)
    fileprivate func observe(_ center: NotificationCenter) -> any NSObjectProtocol {
        center.addObserver(forName: Notification.Name("userDidLogIn"), object: nil, queue: nil) { _ in
            self.taps += self.identifier
        }
    }
}

/// A subclass of `NSObject`, traced by a lifetime token.
private final class Delegate: NSObject, Traced {
    let lifetimeToken = LifetimeToken(of: Delegate.self)
}

/// Holds a screen until it is told to release it.
private final class Clip: @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the loop's thread accesses the screen after the initializer.
    private var screen: Screen?
    let isToLetGo = Locked(false)

    init(_ screen: Screen) { self.screen = screen }

    /// Releases the screen only on request, because Foundation may fire a timer early.
    func letGoIfToldTo() {
        if isToLetGo.withLock({ $0 }) { screen = nil }
    }
}

private final class Album: NSObject {
    let cache = NSCache<NSString, Screen>()
}

private final class Keeper: NSObject {
    let members = NSMutableSet()
}

private final class ScreenOperation: Operation, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the operation is never started.
    private let screen: Screen

    init(_ screen: Screen) {
        self.screen = screen
        super.init()
    }
}
