import Dispatch
import Foundation
internal import LifetimeTracer
internal import RetainShapesLibraries

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Schedules work that captures the worker itself.
///
/// `@unchecked Sendable` is safe because only the planting thread changes the worker.
final class Worker: TracedObject, @unchecked Sendable {
    let queue = DispatchQueue(label: "shapes.worker")
    let group = DispatchGroup()
    let operations = OperationQueue()
    var item: DispatchWorkItem?
    var clip: TimedClip?
    var loop: EventLoop?
    private var timer: (any DispatchSourceTimer)?
    private var source: (any DispatchSourceRead)?
    private var thread: Thread?
    private var announcement: ThreadSleep?
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

    /// Waits in a block that captures the worker alone.
    @inline(never)
    func waitAlone() {
        let sleep = ThreadSleep()
        announcement = sleep
        DispatchQueue.global().async {
            self.announcement?.begin()
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
final class TimedClip: @unchecked Sendable {
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
