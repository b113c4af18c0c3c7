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
        uncalledItem, idleGroup, waitingBlock, waitingItem, ownSession,
    ]

    private static let timers = StepPattern.global("Dispatch's timers")

    private static func shape(
        _ name: String, _ expectation: Expectation, expires: Bool = false,
        _ start: @escaping @MainActor @Sendable (Worker) -> Void,
        undo: @escaping @MainActor @Sendable (Worker) -> Void
    ) -> Shape {
        Shape("pending work: \(name)", expectation.orMore(), expires: expires) {
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

    private static let idleGroup = shape(
        "notification of a group in a property", .cycle(.object("Worker"), .through("group"))
    ) {
        $0.notifyLater()
    } undo: {
        $0.group.leave()
    }
}

/// Schedules work that captures the worker itself.
///
/// `@unchecked Sendable` is safe because only the planting thread changes the worker.
private final class Worker: TracedObject, @unchecked Sendable {
    let queue = DispatchQueue(label: "shapes.worker")
    let group = DispatchGroup()
    let operations = OperationQueue()
    var item: DispatchWorkItem?
    var clip: TimedClip?
    var loop: EventLoop?
    private var timer: (any DispatchSourceTimer)?
    private var source: (any DispatchSourceRead)?
    private var thread: Thread?
    private var token: (any NSObjectProtocol)?
    private let released = DispatchSemaphore(value: 0)
    private var count = 0

    @inline(never)
    func startTimer(repeating interval: DispatchTimeInterval) {
        let source = DispatchSource.makeTimerSource(queue: queue)
        source.schedule(deadline: .now() + 900, repeating: interval)
        source.setEventHandler { self.count += 1 }
        source.resume()
        timer = source
        queue.sync {}
        waitForDispatch()
    }

    func stop() {
        timer?.cancel()
        timer = nil
    }

    @inline(never)
    func doLater(on queue: DispatchQueue) {
        let made = DispatchWorkItem {
            self.count += 1
            self.item = nil
        }
        item = made
        queue.asyncAfter(deadline: .now() + ExpiryDelay.seconds, execute: made)
        waitForDispatch()
    }

    @inline(never)
    func tellLater() {
        let step = count + 1
        DispatchQueue.global().asyncAfter(deadline: .now() + ExpiryDelay.seconds) { self.count += step }
        waitForDispatch()
    }

    @inline(never)
    func waitInLine() {
        let sleep = ThreadSleep()
        let step = count + 1
        queue.async { [released] in
            sleep.begin()
            released.wait()
        }
        queue.async { self.count += step }
        sleep.wait()
    }

    func letGo() { released.signal() }

    @inline(never)
    func tellMain() {
        let step = count + 1
        DispatchQueue.main.async { self.count += step }
    }

    @inline(never)
    func read(_ descriptor: CInt) {
        let made = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        made.setEventHandler { self.count += 1 }
        made.resume()
        source = made
        queue.sync {}
        waitForDispatch()
    }

    func stopReading() {
        source?.cancel()
        source = nil
        queue.sync {}
    }

    @inline(never)
    func observe() {
        token = NotificationCenter.default.addObserver(
            forName: Notification.Name("shapes.worker"), object: nil, queue: nil
        ) { _ in self.count += 1 }
    }

    func forget() {
        token.map { NotificationCenter.default.removeObserver($0) }
        token = nil
    }

    @inline(never)
    func run(on loop: EventLoop) {
        let sleep = ThreadSleep()
        loop.execute { [released] in
            sleep.begin()
            released.wait()
            self.count += 1
            self.loop = nil
            Thread.detachNewThread { loop.shutDown() }
        }
        self.loop = loop
        sleep.wait()
    }

    @inline(never)
    func schedule(on loop: EventLoop) {
        let step = count + 1
        loop.schedule(in: 900) { self.count += step }
    }

    @inline(never)
    func startThread() {
        let sleep = ThreadSleep()
        let made = Thread {
            sleep.begin()
            self.released.wait()
            self.thread = nil
        }
        thread = made
        made.start()
        sleep.wait()
    }

    @inline(never)
    func waitForSignal() {
        let sleep = ThreadSleep()
        DispatchQueue.global().async {
            sleep.begin()
            self.released.wait()
            self.count += 1
        }
        sleep.wait()
    }

    @inline(never)
    func waitInItem() {
        let sleep = ThreadSleep()
        queue.async(
            execute: DispatchWorkItem {
                sleep.begin()
                self.released.wait()
                self.count += 1
            })
        sleep.wait()
    }

    @inline(never)
    func operate() {
        let sleep = ThreadSleep()
        operations.addOperation {
            sleep.begin()
            self.released.wait()
        }
        sleep.wait()
    }

    func makeItem() { item = DispatchWorkItem { self.count += 1 } }

    func notifyLater() {
        group.enter()
        let step = count + 1
        group.notify(queue: queue) { self.count += step }
    }
}

/// Holds a worker until the timer fires after a request to release it: Foundation never frees a timer.
private final class TimedClip: @unchecked Sendable {
    // `@unchecked Sendable` is safe because only the loop's thread accesses the worker after the initializer.
    private var worker: Worker?
    let isToLetGo = Locked(false)

    init(_ worker: Worker) { self.worker = worker }

    func makeTimer() -> Timer {
        Timer(timeInterval: 3600, repeats: true) { _ in self.letGoIfToldTo() }
    }

    private func letGoIfToldTo() {
        if isToLetGo.withLock({ $0 }) { worker = nil }
    }
}

/// `@unchecked Sendable` is safe because only the planting thread changes the downloader.
private final class Downloader: NSObject, URLSessionDataDelegate, Traced, @unchecked Sendable {
    let lifetimeToken = LifetimeToken(of: Downloader.self)
    var lifetime: Lifetime { lifetimeToken.lifetime }
    var session: URLSession?
}
