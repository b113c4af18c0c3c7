internal import LifetimeTracer

/// Tasks that sleep.
@MainActor package enum SleepingTaskShapes {
    /// The handles of tasks, inverted, because a handle would be another holder.
    private static var running: [UInt] = []
    @TaskLocal package static var current: Screen?

    static let all = [
        sleepFor, sleepNanoseconds, sleepUntil, sleepWithTolerance, sleepAgain, sleepAmongOthers, sleepInMethod,
        sleepInOwnTask, sleepInChild, sleepInAsyncLet, sleepInActor, sleepInDiscardingGroup, sleepOfAwaited,
        taskLocalInSleep, handlerInSleep, nestedGroups, awaitsFirstOfMany, sleepInBackground, sleepWithHighPriority,
        sleepWithUtility, sleepBesideSibling,
    ]

    private static let timers = StepPattern.global("Dispatch's timers")

    /// A shape with a task that ends when it is cancelled.
    private static func sleeping(
        _ name: String, _ expectation: Expectation? = nil,
        _ start: @escaping @MainActor @Sendable (DetailScreen) -> Task<Void, Never>
    ) -> Shape {
        Shape(name, (expectation ?? .held(timers, .task)).orMore(), using: ["SleepingTaskShapes.running"]) {
            let screen = DetailScreen()
            remember(start(screen))
            return Planted(screen) { cancelAll() }
        }
    }

    private static func remember(_ task: Task<Void, Never>) {
        running.append(~unsafeBitCast(task, to: UInt.self))
        waitForDispatch()
    }

    /// Cancels the tasks.
    ///
    /// Their handles are valid, because the tasks have not ended.
    private static func cancelAll() {
        for word in running { unsafeBitCast(~word, to: Task<Void, Never>.self).cancel() }
        running = []
    }

    private static let sleepFor = sleeping("sleep: for a duration", .held(timers, .task, .closure("sleepFor"))) {
        screen in
        startByHand {
            try? await Task.sleep(for: .seconds(3600))
            screen.tap()
        }
    }

    private static let sleepNanoseconds = sleeping("sleep: for nanoseconds") { screen in
        startByHand {
            try? await Task.sleep(nanoseconds: 3_600_000_000_000)
            screen.tap()
        }
    }

    private static let sleepUntil = sleeping("sleep: until an instant of another clock") { screen in
        startByHand {
            try? await Task.sleep(until: .now + .seconds(3600), clock: .suspending)
            screen.tap()
        }
    }

    private static let sleepInBackground = sleeping("sleep: with background priority") { screen in
        Task.detached(priority: .background) {
            try? await Task.sleep(for: .seconds(700))
            screen.tap()
        }
    }

    private static let sleepWithHighPriority = sleeping("sleep: with high priority, of the suspending clock") {
        screen in
        Task.detached(priority: .high) {
            try? await SuspendingClock().sleep(for: .seconds(3600))
            screen.tap()
        }
    }

    private static let sleepWithUtility = sleeping("sleep: with utility priority, for nanoseconds") { screen in
        Task.detached(priority: .utility) {
            try? await Task.sleep(nanoseconds: 3_600_000_000_000)
            screen.tap()
        }
    }

    private static let sleepWithTolerance = sleeping("sleep: with a tolerance") { screen in
        startByHand {
            try? await Task.sleep(for: .seconds(3600), tolerance: .seconds(5), clock: .continuous)
            screen.tap()
        }
    }

    private static let sleepAgain = sleeping("sleep: again and again") { screen in
        let rounds = Locked(0)
        let task = startByHand {
            while !Task.isCancelled {
                let isLast = rounds.withLock { rounds in
                    rounds += 1
                    return rounds > 5
                }
                screen.tap()
                try? await Task.sleep(for: isLast ? .seconds(3600) : .milliseconds(1))
            }
        }
        waitUntil("the task sleeps for long") { rounds.withLock { $0 } == 6 }
        waitForDispatch()
        return task
    }

    private static let sleepAmongOthers = Shape(
        "sleep: among many others", .held(timers, .task, .closure("sleepAmongOthers")).orMore(),
        using: ["SleepingTaskShapes.running"]
    ) {
        func start(_ screen: Screen) -> Task<Void, Never> {
            startByHand {
                try? await Task.sleep(for: .seconds(3600))
                screen.tap()
            }
        }
        for _ in 0..<20 { remember(start(Screen())) }
        let screen = DetailScreen()
        remember(start(screen))
        for _ in 0..<20 { remember(start(Screen())) }
        return Planted(screen) { cancelAll() }
    }

    private static let sleepInMethod = Shape(
        "sleep: in a method that captures self", .held(timers, .task, .closure("Poller.poll")).orMore()
    ) {
        let poller = SleepingPoller()
        remember(poller.poll())
        return Planted(poller) { cancelAll() }
    }

    private static let sleepInOwnTask = Shape(
        "sleep: with the task in a property of what it captures",
        .held(timers, .task, .closure("Poller.start")).orMore()
    ) {
        let poller = SleepingPoller()
        poller.start()
        waitForDispatch()
        let hidden = Hidden(poller)
        return Planted(poller) { hidden.object.stop() }
    }

    private static let sleepInChild = sleeping("sleep: in a child of a group") { screen in
        startByHand {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { try? await Task.sleep(for: .seconds(3600)) }
                group.addTask {
                    try? await Task.sleep(for: .seconds(3600))
                    screen.tap()
                }
            }
        }
    }

    private static let sleepInAsyncLet = sleeping("sleep: in an async let") { screen in
        startByHand {
            async let taps = sleepLong(screen)
            _ = await taps
        }
    }

    private static let sleepInActor = sleeping("sleep: in an actor's method") { screen in
        sleepInClerk(screen)
    }

    private static let sleepInDiscardingGroup = sleeping("sleep: in a child of a discarding group") { screen in
        startByHand {
            await withDiscardingTaskGroup { group in
                group.addTask {
                    try? await Task.sleep(for: .seconds(3600))
                    screen.tap()
                }
            }
        }
    }

    /// The child that sleeps first refers to the next one, which it does not hold.
    private static let sleepBesideSibling = sleeping(
        "sleep: in the second child of a discarding group",
        .held(timers, .task).hinting(.runningTask, ", and cancel the Task when")
    ) { screen in
        startByHand {
            await withDiscardingTaskGroup { group in
                for held in [nil, screen, nil] {
                    group.addTask(priority: .utility) {
                        try? await Task.sleep(for: .seconds(3600))
                        held?.tap()
                    }
                }
            }
        }
    }

    private static let sleepOfAwaited = sleeping("sleep: of a task that another awaits") { screen in
        let inner = startByHand { try? await Task.sleep(for: .seconds(3600)) }
        return startByHand {
            await withTaskCancellationHandler {
                await inner.value
            } onCancel: {
                inner.cancel()
            }
            screen.tap()
        }
    }

    private static let taskLocalInSleep = sleeping(
        "sleep: with a task-local value", .held(timers, .says("task-local value of static SleepingTaskShapes.$current"))
    ) { screen in
        $current.withValue(screen) { () -> Task<Void, Never> in
            startByHandInheriting { try? await Task.sleep(for: .seconds(3600)) }
        }
    }

    private static let handlerInSleep = sleeping("sleep: with a cancellation handler") { screen in
        startByHand {
            await withTaskCancellationHandler {
                try? await Task.sleep(for: .seconds(3600))
            } onCancel: {
                screen.tap()
            }
        }
    }

    private static let nestedGroups = sleeping("sleep: of a grandchild") { screen in
        startByHand {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    await withTaskGroup(of: Void.self) { inner in
                        inner.addTask {
                            try? await Task.sleep(for: .seconds(3600))
                            screen.tap()
                        }
                    }
                }
            }
        }
    }

    private static let awaitsFirstOfMany = sleeping("sleep: of a parent whose children sleep") { screen in
        startByHand {
            await withTaskGroup(of: Int.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        try? await Task.sleep(for: .seconds(3600))
                        return number
                    }
                }
                _ = await group.next()
                screen.tap()
            }
        }
    }
}

private func sleepInClerk(_ screen: Screen) -> Task<Void, Never> {
    let clerk = TaskStateShapes.Clerk()
    return startByHand {
        await clerk.rest()
        screen.tap()
    }
}

private func sleepLong(_ screen: Screen) async -> Int {
    try? await Task.sleep(for: .seconds(3600))
    return screen.taps
}
