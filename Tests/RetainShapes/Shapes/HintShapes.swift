import Dispatch
import Foundation
internal import LifetimeTracer

/// Leaks with a path that is easy to find, and of which the advice is easily wrong.
@MainActor package enum HintShapes {
    package static var timer: (any DispatchSourceTimer)?
    package static var reader: (any DispatchSourceRead)?
    package static var signals: [any DispatchSourceSignal] = []
    package static var finished: Task<Screen, Never>?
    package static var failed: Task<Void, any Error>?
    package static var numbers: AsyncStream<Int>?
    private static let pipe = Pipe()

    private struct Failure: Error {
        let screen: Screen
    }

    static let all =
        [runningTimer, cancelHandler, signalHandler, result, error, performed, producer] + HintCycleShapes.all

    private static let runningTimer = Shape(
        "hint: handler of a timer in a variable", .held(.says(""), .closure("runningTimer")).hinting(.runningTimer),
        using: ["HintShapes.timer"]
    ) {
        let screen = DetailScreen()
        let source = DispatchSource.makeTimerSource()
        source.schedule(deadline: .now() + 3600)
        source.setEventHandler { @Sendable in screen.tap() }
        source.activate()
        timer = source
        waitForDispatch()
        return Planted(screen) {
            timer?.cancel()
            timer = nil
        }
    }

    private static let cancelHandler = Shape(
        "hint: cancel handler of a read source",
        .held(.global("HintShapes.reader"), .closure("cancelHandler"))
            .hinting(.eventSource, "A Dispatch source keeps closure")
    ) {
        let screen = DetailScreen()
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe.fileHandleForReading.fileDescriptor)
        source.setEventHandler { @Sendable in }
        source.setCancelHandler { @Sendable in screen.tap() }
        source.activate()
        reader = source
        waitForDispatch()
        return Planted(screen) {
            reader?.cancel()
            reader = nil
        }
    }

    private static let signalHandler = Shape(
        "hint: handler of a signal source",
        .held(.global("HintShapes.signals"), .closure("signalHandler"))
            .hinting(.eventSource, "A Dispatch source keeps closure")
    ) {
        let screen = DetailScreen()
        let source = DispatchSource.makeSignalSource(signal: SIGWINCH)
        source.setEventHandler { @Sendable in screen.tap() }
        source.activate()
        signals.append(source)
        waitForDispatch()
        return Planted(screen) {
            for source in signals { source.cancel() }
            signals = []
        }
    }

    private static let result = Shape(
        "hint: result of a finished task",
        .held(.global("HintShapes.finished"), .task)
            .hinting(.finishedTask, "static HintShapes.finished keeps a finished Task, whose result holds DetailScreen")
    ) {
        let planted = Locked<Planted?>(nil)
        let task = Task.detached {
            let screen = DetailScreen()
            planted.withLock { $0 = Planted(screen) { finished = nil } }
            return screen as Screen
        }
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            _ = await task.result
            ended.signal()
        }
        ended.wait()
        finished = task
        return planted.first("the task has ended")
    }

    private static let error = Shape(
        "hint: error of a failed task",
        .held(.global("HintShapes.failed"), .task)
            .hinting(.finishedTask, "static HintShapes.failed keeps a finished Task, whose error holds DetailScreen")
    ) {
        let planted = Locked<Planted?>(nil)
        let task = Task<Void, any Error>.detached {
            let screen = DetailScreen()
            planted.withLock { $0 = Planted(screen) { failed = nil } }
            throw Failure(screen: screen)
        }
        let ended = DispatchSemaphore(value: 0)
        Task.detached {
            _ = await task.result
            ended.signal()
        }
        ended.wait()
        failed = task
        return planted.first("the task has ended")
    }

    /// No layout describes the run loop's memory, so the hint must not claim to know the holder, nor that it is
    /// unknown.
    private static let performed = Shape(
        "hint: block that waits in the main run loop",
        // "static RunLoop._mainRunLoop seems to keep", or in a static program "the main run loop keeps".
        .held(.says(""), .closure("performed")).orMore().hinting(.hubCapture, "oop "),
        alone: true
    ) {
        let screen = DetailScreen()
        RunLoop.main.perform { screen.tap() }
        return Planted(screen) { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 0.01)) }
    }

    private static let producer = Shape(
        "hint: closure that produces a stream's elements",
        .held(.global("HintShapes.numbers"), .closure("producer"))
            .hinting(.streamProducer, "A stream keeps the closure that produces its elements, closure #1 in")
    ) {
        let screen = DetailScreen()
        numbers = AsyncStream(unfolding: { screen.identifier })
        return Planted(screen) { numbers = nil }
    }
}
