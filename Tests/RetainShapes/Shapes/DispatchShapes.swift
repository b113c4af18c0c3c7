import Dispatch
internal import LifetimeTracer

/// Pending work of Dispatch.
@MainActor package enum DispatchShapes {
    package static var item: DispatchWorkItem?
    package static var queue: DispatchQueue?
    package static var timer: (any DispatchSourceTimer)?
    package static var group: DispatchGroup?

    static let all = [
        workItem, later, pendingBlock, timerHandler, timerCycle, suspendedTimerCycle, groupNotify, queueValue,
        concurrentLater,
    ]

    static let workItem = Shape("work item", .held(.global("DispatchShapes.item"))) {
        let screen = DetailScreen()
        let number = screen.taps + 1
        item = DispatchWorkItem { screen.taps += number }
        return Planted(screen) { item = nil }
    }

    static let later = Shape("work item for later", .held(.says("")), expires: true) {
        let screen = DetailScreen()
        let work = DispatchWorkItem { @Sendable in screen.tap() }
        DispatchQueue.global().asyncAfter(deadline: .now() + ExpiryDelay.seconds, execute: work)
        // Dispatch retains the screen until the deadline of the block.
        return Planted(screen) {}
    }

    static let pendingBlock = Shape("block on a suspended queue", .held(.global("DispatchShapes.queue"))) {
        let screen = DetailScreen()
        let suspended = DispatchQueue(label: "shapes.suspended")
        suspended.suspend()
        suspended.async { screen.tap() }
        queue = suspended
        return Planted(screen) {
            queue?.resume()
            queue = nil
        }
    }

    static let timerHandler = Shape("handler of a timer source", .held(.says(""))) {
        let screen = DetailScreen()
        let source = DispatchSource.makeTimerSource(queue: .global())
        source.schedule(deadline: .now() + 3600, repeating: 60)
        source.setEventHandler { @Sendable in screen.tap() }
        source.resume()
        timer = source
        return Planted(screen) {
            timer?.cancel()
            timer = nil
        }
    }

    static let timerCycle = Shape("timer source in a property of what it captures", .held(.says("")).orCycle()) {
        let clock = ClockFace()
        clock.start()
        let hidden = Hidden(clock)
        return Planted(clock) { hidden.object.stop() }
    }

    static let suspendedTimerCycle = Shape(
        "timer source that was never resumed, in a property of what it captures",
        .cycle(.object("ClockFace"), .through(".timer"), .closure("closure #1"))
            .hinting(.runningTimer, "Resume the timer before if it is suspended or was never activated")
    ) {
        let clock = ClockFace()
        clock.start(resumes: false)
        let hidden = Hidden(clock)
        return Planted(clock) { hidden.object.stop(resumes: true) }
    }

    static let groupNotify = Shape("group that is never done", .held(.global("DispatchShapes.group"))) {
        let screen = DetailScreen()
        let open = DispatchGroup()
        open.enter()
        open.notify(queue: .global()) { @Sendable in screen.tap() }
        group = open
        return Planted(screen) {
            group?.leave()
            group = nil
        }
    }

    static let queueValue = Shape("value of a queue", .held(.global("DispatchShapes.queue"))) {
        let screen = DetailScreen()
        let labelled = DispatchQueue(label: "shapes.value")
        labelled.setSpecific(key: key, value: screen)
        queue = labelled
        return Planted(screen) { queue = nil }
    }

    static let concurrentLater = Shape("barrier on a suspended queue", .held(.global("DispatchShapes.queue"))) {
        let screen = DetailScreen()
        let suspended = DispatchQueue(label: "shapes.barrier", attributes: .concurrent)
        suspended.suspend()
        let number = screen.taps + 1
        suspended.async(flags: .barrier) { screen.taps += number }
        queue = suspended
        return Planted(screen) {
            queue?.resume()
            queue = nil
        }
    }

    private static let key = DispatchSpecificKey<Screen>()
}

/// Retains a timer whose handler captures the clock face.
private final class ClockFace: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the timer never fires.
    private var timer: (any DispatchSourceTimer)?
    private var ticks = 0

    func start(resumes: Bool = true) {
        let source = DispatchSource.makeTimerSource(queue: .global())
        source.schedule(deadline: .now() + 3600, repeating: 60)
        source.setEventHandler { self.ticks += 1 }
        if resumes { source.resume() }
        timer = source
    }

    /// - Parameter resumes: Whether the timer is suspended. Dispatch ends a program that releases such a timer.
    func stop(resumes: Bool = false) {
        if resumes { timer?.resume() }
        timer?.cancel()
        timer = nil
    }
}
