import Dispatch
import Foundation
internal import LifetimeTracer
internal import RetainShapesLibraries

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Cycles that pending work will break.
///
/// None of them may be reported as a leak without a root.
@MainActor package enum PendingWorkShapes {
    package static var session: URLSession?
    package static var pipe: Pipe?
    package static var group: DispatchGroup?
    package static let loop = RunLoopThread()

    static let all = [
        timerSource, repeatingSource, laterItem, laterBlock, laterOnOwnQueue, busyQueue, mainQueue, readSource,
        notificationCycle, runLoopTimer, eventLoop, eventLoopTask, threadOfItsOwn, sessionDelegate, blockedOperation,
        uncalledItem, idleGroup, waitingBlock, waitingBlockOfOne, waitingItem, ownSession,
    ]

    private static let timers = StepPattern.global("Dispatch's timers")

    private static func shape(
        _ name: String, _ expectation: Expectation, expires: Bool = false, alone: Bool = false,
        _ start: @escaping @MainActor @Sendable (Worker) -> Void,
        undo: @escaping @MainActor @Sendable (Worker) -> Void
    ) -> Shape {
        Shape("pending work: \(name)", expectation.orMore(), expires: expires, alone: alone) {
            let worker = Worker()
            start(worker)
            let hidden = Hidden(worker)
            return Planted(worker) { undo(hidden.object) }
        }
    }

    private static let timerSource = shape(
        "timer in a property", .held(timers, .closure("Worker.startTimer"))
    ) {
        $0.startTimer(repeating: .never)
    } undo: {
        $0.stop()
    }

    private static let repeatingSource = shape(
        "repeating timer in a property", .held(timers, .closure("Worker.startTimer"))
    ) {
        $0.startTimer(repeating: .seconds(900))
    } undo: {
        $0.stop()
    }

    private static let laterItem = shape(
        "item for later in a property", .held(timers), expires: true
    ) {
        $0.doLater(on: .global())
    } undo: { _ in
    }

    private static let laterBlock = shape(
        "block for later", .held(timers, .closure("Worker.tellLater")), expires: true
    ) {
        $0.tellLater()
    } undo: { _ in
    }

    private static let laterOnOwnQueue = shape(
        "item for later on a queue in a property", .held(timers), expires: true
    ) {
        $0.doLater(on: $0.queue)
    } undo: { _ in
    }

    private static let busyQueue = shape(
        "block behind another on a queue in a property", .held(.says(""), .closure("Worker.waitInLine"))
    ) {
        $0.waitInLine()
    } undo: {
        $0.letGo()
    }

    private static let mainQueue = shape(
        "block on the main queue", .held(.global("the main queue"), .closure("Worker.tellMain"))
    ) {
        $0.tellMain()
    } undo: { _ in
        // The main thread plants and undoes the shapes, so this call runs the blocks of the main queue.
        _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01))
    }

    private static let readSource = shape(
        "source of a pipe in a property", .held(.says(""), .closure("Worker.read"))
    ) { worker in
        let made = Pipe()
        pipe = made
        worker.read(made.fileHandleForReading.fileDescriptor)
    } undo: { worker in
        worker.stopReading()
        pipe = nil
    }

    private static let notificationCycle = shape(
        "observer with its token in a property",
        .held(.says("NotificationCenter"), .closure("Worker.observe")).hinting(.notificationCenterCapture)
    ) {
        $0.observe()
    } undo: {
        $0.forget()
    }

    private static let runLoopTimer = Shape(
        "pending work: timer of a run loop in a property",
        .held(.says(""), .object("Timer"), .closure("Clip"), .object("TimedClip"), .through("worker")).orMore()
    ) {
        let worker = Worker()
        let clip = TimedClip(worker)
        let timer = clip.makeTimer()
        worker.clip = clip
        loop.add(timer)
        let (hiddenTimer, hiddenClip) = (Hidden(timer), Hidden(clip))
        return Planted(worker) {
            hiddenClip.object.isToLetGo.withLock { $0 = true }
            loop.fireLast(hiddenTimer)
        }
    }

    private static let eventLoop = shape(
        "block that an event loop runs", .held(.says(""), .closure("Worker.run(on:)"))
    ) {
        $0.run(on: EventLoop(name: "loop"))
    } undo: {
        $0.letGo()
    }

    private static let eventLoopTask = shape(
        "task that an event loop is to run later", .held(.says(""), .object("EventLoop"), .through("scheduled"))
    ) { worker in
        let loop = EventLoop(name: "later")
        worker.loop = loop
        worker.schedule(on: loop)
    } undo: {
        $0.loop?.shutDown()
    }

    private static let threadOfItsOwn = shape(
        "thread in a property", .held(.says(""))
    ) {
        $0.startThread()
    } undo: {
        $0.letGo()
    }

    private static let sessionDelegate = Shape(
        "delegate of a session in a property",
        .held(.global("PendingWorkShapes.session")).orMore().giving("session").hinting(.sessionDelegate)
    ) {
        let delegate = Downloader()
        let made = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        session = made
        return Planted(delegate) {
            session?.invalidateAndCancel()
            session = nil
        }
    }

    private static let ownSession = Shape(
        "session in a property of its delegate", .cycle(.object("Downloader")).orMore().hinting(.sessionDelegate)
    ) {
        let delegate = Downloader()
        delegate.session = URLSession(configuration: .ephemeral, delegate: delegate, delegateQueue: nil)
        let hidden = Hidden(delegate)
        return Planted(delegate) {
            let session = hidden.object.session
            hidden.object.session = nil
            session?.invalidateAndCancel()
        }
    }

    private static let waitingBlock = shape(
        "block that waits for a semaphore", .held(.says(""), .closure("Worker.waitForSignal"))
    ) {
        $0.waitForSignal()
    } undo: {
        $0.letGo()
    }

    private static let waitingBlockOfOne = shape(
        "block that waits and captures one object", .held(.says(""), .closure("Worker.waitAlone"))
    ) {
        $0.waitAlone()
    } undo: {
        $0.letGo()
    }

    private static let waitingItem = shape(
        "work item that waits for a semaphore", .held(.says(""), .closure("Worker.waitInItem"))
    ) {
        $0.waitInItem()
    } undo: {
        $0.letGo()
    }

    private static let blockedOperation = shape(
        "operation that runs", .held(.says(""))
    ) {
        $0.operate()
    } undo: {
        $0.letGo()
    }

    private static let uncalledItem = shape(
        "work item that nobody has given to a queue", .cycle(.object("Worker"), .through("item"))
    ) {
        $0.makeItem()
    } undo: {
        $0.item = nil
    }

    /// A stale word behind the memory of an `NSCondition` of another shape may refer to the block of the group.
    private static let idleGroup = shape(
        "notification of a group in a property", .cycle(.object("Worker"), .through("group")), alone: true
    ) {
        $0.notifyLater()
    } undo: {
        $0.group.leave()
    }
}

/// `@unchecked Sendable` is safe because only the planting thread changes the downloader.
private final class Downloader: NSObject, URLSessionDataDelegate, Traced, @unchecked Sendable {
    let lifetimeToken = LifetimeToken(of: Downloader.self)
    var session: URLSession?
}
