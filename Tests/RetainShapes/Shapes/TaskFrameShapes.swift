internal import LifetimeTracer

/// Tasks that hold an object in a variable of one of their functions: the path names that function.
@MainActor package enum TaskFrameShapes {
    package nonisolated static let latch = Latch()
    @TaskLocal package static var current: Screen?
    @TaskLocal package static var request: Request?

    package struct Request: Sendable {
        let number: Int
        let name: String
        let screen: Screen
    }

    /// An actor whose method waits with a screen of its own.
    fileprivate actor Keeper {
        private var turns: Int

        fileprivate init() { turns = 0 }

        @inline(never)
        fileprivate func keep(_ handed: Locked<Screen?>) async {
            let screen = handed.take()
            await latch.pass()
            turns += 1
            screen.tap()
        }
    }

    static let all = [
        localValue, strongSelf, parameter, localArray, genericValue, callersVariable, deepCall, belowDeepCall,
        actorsVariable, cancellationHandler, childOfAsyncLet, besideAsyncLet, taskLocal, taskLocalStruct,
    ]

    private static let localValue = Shape("variable of a function of a task", held(in: "keep(_:)")) {
        plant { screen in await keep(screen) }
    }

    private static let strongSelf = Shape(
        "self of a task that captures it weakly", held(in: "closure #1 in Follower.follow()")
    ) {
        let follower = Follower()
        follower.follow()
        return Planted(follower) { latch.open() }
    }

    private static let parameter = Shape("parameter of a function of a task", held(in: "closure #1 in")) {
        plant { screen in await wait(with: screen.take()) }
    }

    private static let localArray = Shape("array of a function of a task", held(in: "keepInArray(_:)")) {
        plant { screen in await keepInArray(screen) }
    }

    private static let genericValue = Shape("generic value of a function of a task", held(in: "keepValue<A>(_:)")) {
        plant { screen in await keepValue { Reading(screen: screen.take(), page: 3) } }
    }

    private static let callersVariable = Shape("variable of a caller in a task", held(in: "keepAndCall(_:)")) {
        plant { screen in await keepAndCall(screen) }
    }

    private static let deepCall = Shape("variable of the last of many calls in a task", held(in: "keep(_:)")) {
        plant { screen in await descend(40) { await keep(screen) } }
    }

    private static let belowDeepCall = Shape("variable below many calls in a task", held(in: "keepBelowCalls(_:)")) {
        plant { screen in await descend(10) { await keepBelowCalls(screen) } }
    }

    private static let actorsVariable = Shape(
        "variable of a method of an actor", held(in: "TaskFrameShapes.Keeper.keep(_:)")
    ) {
        plant { screen in await keepInActor(screen) }
    }

    private static let cancellationHandler = Shape(
        "variable that a cancellation handler uses", held(in: "keepForCancellation(_:)")
    ) {
        plant { screen in await keepForCancellation(screen) }
    }

    private static let childOfAsyncLet = Shape("variable of a child of async let", held(in: "keep(_:)")) {
        plant { screen in
            async let kept: Void = keep(screen)
            await kept
        }
    }

    private static let besideAsyncLet = Shape("variable beside async let", held(in: "keepBesideAsyncLet(_:)")) {
        plant { screen in await keepBesideAsyncLet(screen) }
    }

    private static let taskLocal = Shape(
        "task-local value of a task that waits",
        .held(.global("TaskFrameShapes.latch"), .says("task-local value of static TaskFrameShapes.$current")).orMore()
    ) {
        let screen = DetailScreen()
        $current.withValue(screen) {
            startUntilItWaits { await latch.pass() }
        }
        return Planted(screen) { latch.open() }
    }

    private static let taskLocalStruct = Shape(
        "task-local struct of a task that waits",
        .held(
            .global("TaskFrameShapes.latch"),
            .says("in startUntilItWaits<A>(_:) with a task-local value of static TaskFrameShapes.$request")
        ).orMore()
    ) {
        let screen = DetailScreen()
        $request.withValue(Request(number: 7, name: "home", screen: screen)) {
            startUntilItWaits { await latch.pass() }
        }
        return Planted(screen) { latch.open() }
    }

    private static func held(in function: String) -> Expectation {
        .held(.global("TaskFrameShapes.latch"), .task(in: function)).orMore()
    }

    /// Starts a task whose closure hands the only reference to a screen on to a function.
    private static func plant(_ body: @escaping @Sendable (Locked<Screen?>) async -> Void) -> Planted {
        let screen = DetailScreen()
        let planted = Planted(screen) { latch.open() }
        let handed = Locked<Screen?>(screen)
        startByHand { await body(handed) }
        return planted
    }
}

extension Locked {
    /// The value, which is then no longer here.
    fileprivate func take<Value: Sendable>() -> Value where State == Value? {
        let value = withLock { value in
            defer { value = nil }
            return value
        }
        guard let value else { preconditionFailure("a shape takes its value once") }
        return value
    }
}

private typealias Handed = Locked<Screen?>

@inline(never)
private func keep(_ handed: Handed) async {
    let screen = handed.take()
    await TaskFrameShapes.latch.pass()
    screen.tap()
}

@inline(never)
private func keepInActor(_ handed: Handed) async {
    let keeper = TaskFrameShapes.Keeper()
    await keeper.keep(handed)
}

@inline(never)
private func wait(with screen: Screen) async {
    await TaskFrameShapes.latch.pass()
    screen.tap()
}

@inline(never)
private func keepInArray(_ handed: Handed) async {
    let screens = [Screen(), handed.take()]
    await TaskFrameShapes.latch.pass()
    for screen in screens { screen.tap() }
}

private protocol Tappable { func tap() }

private struct Reading: Tappable {
    var screen: Screen
    var page: Int

    func tap() { screen.taps += page }
}

@inline(never)
private func keepValue<Value: Tappable>(_ make: () -> Value) async {
    let value = make()
    await TaskFrameShapes.latch.pass()
    value.tap()
}

@inline(never)
private func keepAndCall(_ handed: Handed) async {
    let screen = handed.take()
    await waitTwice()
    screen.tap()
}

/// Waits in a function that has an object of its own.
@inline(never)
private func waitTwice() async {
    let screen = Screen()
    await TaskFrameShapes.latch.pass()
    screen.tap()
}

/// Calls itself, so that the frames need more than one piece of the task's memory.
@inline(never)
private func descend(_ depth: Int, _ body: @Sendable () async -> Void) async {
    let screen = Screen()
    if depth > 0 { await descend(depth - 1, body) } else { await body() }
    screen.tap()
}

@inline(never)
private func keepBelowCalls(_ handed: Handed) async {
    let screen = handed.take()
    await descend(40) { await TaskFrameShapes.latch.pass() }
    screen.tap()
}

@inline(never)
private func keepForCancellation(_ handed: Handed) async {
    let screen = handed.take()
    await withTaskCancellationHandler {
        await TaskFrameShapes.latch.pass()
    } onCancel: {
        screen.tap()
    }
}

@inline(never)
private func keepBesideAsyncLet(_ handed: Handed) async {
    async let waiting: Void = waitTwice()
    let screen = handed.take()
    await waiting
    screen.tap()
}

/// Starts a task that keeps `self` while it waits, although its closure captures `self` weakly.
private final class Follower: TracedObject, @unchecked Sendable {
    // `@unchecked Sendable` is safe because the task only waits.
    private var turns = 0

    func follow() {
        startByHand { [weak self] in
            guard let self else { return }
            await TaskFrameShapes.latch.pass()
            self.turns += 1
        }
    }
}
