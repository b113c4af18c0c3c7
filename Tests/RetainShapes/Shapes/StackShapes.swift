import Foundation
internal import LifetimeTracer
internal import RetainShapesNeighbour

/// Local variables of functions that have not returned: the path names the function on the thread's stack.
@MainActor package enum StackShapes {
    static let all = [
        local, acrossWait, optional, array, caller, closure, sorting, cycle, generic, inFrame, inFrameOfTask, inDeinit,
    ]

    private static func shape(
        _ name: String, in function: String, _ keep: @escaping @Sendable (Waiting) -> Void
    ) -> Shape {
        Shape("on a stack: \(name)", .held(.step(.stack, function)).orMore()) {
            let waiting = Waiting()
            Thread.detachNewThread {
                keep(waiting)
                waiting.ended.signal()
            }
            waiting.sleep.wait()
            return waiting.planted.first("the thread waits")
        }
    }

    private static let local = shape("a variable", in: "keepLocal(_:)") { keepLocal($0) }
    /// Optimised code keeps this variable in a register alone.
    private static let acrossWait = shape("a variable of a function that waits itself", in: "keepAcrossWait(_:)") {
        keepAcrossWait($0)
    }
    private static let optional = shape("an optional variable", in: "keepOptional(_:)") { keepOptional($0) }
    private static let array = shape("an array", in: "keepArray(_:)") { keepArray($0) }
    private static let caller = shape("a variable of a caller", in: "keepAndCall(_:)") { keepAndCall($0) }
    private static let closure = shape("a variable of a closure", in: "in keepInClosure(_:)") { keepInClosure($0) }
    private static let sorting = shape("a variable of a function that sorts", in: "keepWhileSorting(_:)") {
        keepWhileSorting($0)
    }
    /// Nothing else holds the two objects, but the function uses them.
    ///
    /// Optimised code keeps the variable in a register,
    /// which a function that it calls saves on the stack.
    private static let cycle = shape("an object whose part refers back to it", in: "of thread") { keepCycle($0) }
    private static let generic = shape("a value of a generic type", in: "keepGeneric<A>(_:_:)") {
        keepGeneric($0) { waiting in
            let made = DetailScreen()
            waiting.plant(made)
            return (made, 3)
        }
    }

    /// Optimised code places these objects in the frame of the function.
    private static let inFrame = Shape(
        "on a stack: an object that does not leave its function",
        .held(.step(.stack, "keepInFrame(_:)")).orNotOnHeap()
    ) {
        let waiting = Waiting()
        Thread.detachNewThread {
            keepInFrame(waiting)
            waiting.ended.signal()
        }
        waiting.sleep.wait()
        return waiting.planted.first("the thread waits")
    }

    private static let inDeinit = Shape("on a stack: an object in a frame whose deinit runs", .gone) {
        let waiting = Waiting()
        Thread.detachNewThread {
            keepUntilDeinit(waiting)
            waiting.ended.signal()
        }
        waiting.sleep.wait()
        return waiting.planted.first("the thread waits")
    }

    private static let inFrameOfTask = Shape(
        "in the memory of a task: an object that does not leave its function",
        .held(.says(""), .task(in: "keepInTask(_:)")).orNotOnHeap().orMore(), using: ["TaskFrameShapes.latch"]
    ) {
        let waiting = Waiting()
        startByHand { await keepInTask(waiting) }
        return waiting.planted.first("the task waits")
    }
}

/// The state of a thread that waits with an object in a variable.
private struct Waiting: Sendable {
    let planted = Locked<Planted?>(nil)
    let sleep = ThreadSleep()
    /// The thread waits for `released`, and signals `ended` when its function has returned.
    let released = DispatchSemaphore(value: 0)
    let ended = DispatchSemaphore(value: 0)

    /// Ends the thread; captures only the semaphores, so that the planted leak does not hold itself.
    var ending: @MainActor @Sendable () -> Void {
        { [released, ended] in
            released.signal()
            ended.wait()
        }
    }

    @inline(never)
    func plant(_ made: Screen) {
        letBeSeen(made)
        set(Planted(made, undo: ending))
    }

    /// Waits in a function that uses all registers, and so saves those of its callers on the stack.
    @inline(never)
    func wait() {
        let (first, second, third, fourth) = (number(1), number(2), number(3), number(4))
        let (fifth, sixth, seventh, eighth) = (number(5), number(6), number(7), number(8))
        sleep.begin()
        released.wait()
        work(first &+ second &* third &- fourth)
        work(fifth &+ sixth &* seventh &- eighth)
    }

    func set(_ made: Planted) {
        planted.withLock { $0 = made }
    }
}

@inline(never)
private func keepLocal(_ waiting: Waiting) {
    let made = DetailScreen()
    waiting.plant(made)
    waiting.wait()
    made.tap()
}

@inline(never)
private func keepAcrossWait(_ waiting: Waiting) {
    let made = DetailScreen()
    waiting.plant(made)
    waiting.sleep.begin()
    waiting.released.wait()
    made.tap()
}

@inline(never)
private func keepOptional(_ waiting: Waiting) {
    var made: Screen? = DetailScreen()
    made.map { waiting.plant($0) }
    waiting.wait()
    // Without this call, the optimiser would merge the function with `keepLocal`.
    work(made?.taps ?? 1)
    made?.tap()
    made = nil
}

@inline(never)
private func keepArray(_ waiting: Waiting) {
    var made = [Screen(), DetailScreen()]
    made.append(Screen())
    waiting.plant(made[1])
    waiting.wait()
    made.removeFirst()
    for screen in made { screen.tap() }
}

private final class Pool {
    let screen = DetailScreen()
    var part: PoolPart?
}

private final class PoolPart {
    let pool: Pool
    init(_ pool: Pool) { self.pool = pool }
}

@inline(never)
private func keepCycle(_ waiting: Waiting) {
    let made = Pool()
    made.part = PoolPart(made)
    waiting.plant(made.screen)
    waiting.wait()
    made.part = nil
}

@inline(never)
private func keepAndCall(_ waiting: Waiting) {
    let made = DetailScreen()
    waiting.plant(made)
    overwriteStack()
    descend(20, waiting)
    made.tap()
}

@inline(never)
private func descend(_ count: Int, _ waiting: Waiting) {
    if count > 0 {
        descend(count - 1, waiting)
    } else {
        waiting.wait()
    }
    work(count)
}

/// A call that is not the last of its function, so that the function's frame stays.
@inline(never)
private func work(_ count: Int) {
    withExtendedLifetime(count) {}
}

@inline(never)
private func number(_ number: Int) -> Int {
    withExtendedLifetime(number) { number }
}

@inline(never)
private func keepInClosure(_ waiting: Waiting) {
    call(
        unknown {
            let made = DetailScreen()
            waiting.plant(made)
            waiting.wait()
            made.tap()
        })
}

/// Returns a closure of which the optimiser does not know the body, so that it is not made part of its caller.
@inline(never)
private func unknown(_ body: @escaping () -> Void) -> () -> Void {
    withExtendedLifetime(body) { body }
}

@inline(never)
private func call(_ body: () -> Void) {
    body()
    work(1)
}

@inline(never)
private func keepWhileSorting(_ waiting: Waiting) {
    let made = DetailScreen()
    waiting.plant(made)
    var hasWaited = false
    let sorted = [3, 1, 2].sorted { left, right in
        if !hasWaited {
            waiting.wait()
        }
        hasWaited = true
        return left < right
    }
    work(sorted[0])
    made.tap()
}

@inline(never)
private func keepGeneric<Value>(_ waiting: Waiting, _ make: (Waiting) -> Value) {
    let value = make(waiting)
    waiting.wait()
    withExtendedLifetime(value) {}
}

@inline(never)
private func keepInFrame(_ waiting: Waiting) {
    let made = DetailScreen()
    waiting.set(Planted(made, undo: waiting.ending))
    waiting.wait()
    made.tap()
}

/// A screen whose deinit waits.
private final class WaitingScreen: Screen, @unchecked Sendable {
    private let waiting: Waiting

    init(_ waiting: Waiting) { self.waiting = waiting }

    deinit { waiting.wait() }
}

@inline(never)
private func keepUntilDeinit(_ waiting: Waiting) {
    let made = WaitingScreen(waiting)
    waiting.set(Planted(made, undo: waiting.ending))
    made.tap()
}

@inline(never)
private func keepInTask(_ waiting: Waiting) async {
    let made = DetailScreen()
    waiting.set(Planted(made) { TaskFrameShapes.latch.open() })
    await TaskFrameShapes.latch.pass()
    made.tap()
}
