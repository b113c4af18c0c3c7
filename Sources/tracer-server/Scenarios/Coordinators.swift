import LifetimeTracer
import LifetimeTracerDashboard

extension Scenario {
    /// Coordinators that outlive their flows.
    static let coordinators = Scenario(
        name: "coordinators",
        title: "Coordinators that outlive their flows",
        story: """
            A parent coordinator holds the coordinator of each flow until the end of the flow is reported: a button \
            reports the end, but a back swipe does not. A coordinator that only its own screen holds needs no report, \
            but a leaked screen also leaks its view model and its coordinator.
            """,
        forms: [
            ScenarioInfo.Form(
                form: .leaking,
                summary: "Only the button reports the end of a flow, and the profile screen's closure captures self.",
                expects: [
                    "1 ItemCoordinator overdue: flow ended",
                    "3 overdue as one leak: ProfileScreen is the culprit (removed from its parent), "
                        + "ProfileViewModel and ProfileCoordinator are its victims",
                ],
                code: """
                    model?.didChange = { self.refreshes += 1 }
                    """),
            ScenarioInfo.Form(
                form: .mended, summary: "The navigation reports every pop, and the closure captures self weakly.",
                expects: ["no instance of a Mended… type live", "no verdict"],
                code: """
                    navigation.didPop = { [weak self] screen in
                        self?.childCoordinators.removeAll {
                            $0.screen === screen
                        }
                    }
                    model?.didChange = { [weak self] in
                        self?.refreshes += 1
                    }
                    """),
        ]
    ) { form, stage in
        let navigation = NavigationStack()
        // An app's first coordinator lives as long as the app: in the leaking form forever, in the mended form until
        // the run ends.
        let app = form == .leaking ? AppCoordinator() : MendedAppCoordinator()
        if form == .leaking { AppCoordinator.running.append(app) }
        try playChildCoordinator(of: app, navigation, stage)
        try playSelfDeallocating(form, navigation, stage)
        await stage.waitForVerdicts()
        stage.note("at the end: \(app.childCoordinators.count.of("child coordinator"))")
    }

    /// Plays flows of a child coordinator whose parent must be told that the flow has ended.
    @MainActor
    private static func playChildCoordinator(
        of app: AppCoordinator, _ navigation: NavigationStack, _ stage: Stage
    ) throws {
        app.start(on: navigation)
        app.showItem(on: navigation)
        stage.note("\(type(of: app)) showed an item: \(app.childCoordinators.count.of("child coordinator"))")
        app.pressDone(on: navigation)
        stage.note("ended the flow with the button: \(app.childCoordinators.count.of("child coordinator"))")

        app.showItem(on: navigation)
        if let child = app.childCoordinators.last {
            try stage.registry.expectDeallocation(
                of: child, within: stage.registry.configuration.leavingDelay, because: "flow ended")
        }
        navigation.swipeBack()
        stage.note("ended the flow with a back swipe: \(app.childCoordinators.count.of("child coordinator"))")
    }

    /// Plays flows of a coordinator that is released together with its screen.
    @MainActor
    private static func playSelfDeallocating(
        _ form: ScenarioForm, _ navigation: NavigationStack, _ stage: Stage
    ) throws {
        showProfile(form == .leaking ? ProfileKind.plain : .mended, on: navigation, stage)
        weak var screen = navigation.top
        try expectProfileGone(navigation, stage)
        navigation.pop()
        stage.note("popped a profile: screen, view model and coordinator are \(screen == nil ? "deallocated" : "live")")

        guard form == .leaking else { return }
        showProfile(.withCycle, on: navigation, stage)
        screen = navigation.top
        try expectProfileGone(navigation, stage)
        navigation.pop()
        stage.note(
            "popped a profile whose closure captures its screen: screen, view model and coordinator are "
                + (screen == nil ? "deallocated" : "live"))
    }

    private enum ProfileKind {
        case plain
        case withCycle
        case mended
    }

    @MainActor
    private static func showProfile(_ kind: ProfileKind, on navigation: NavigationStack, _ stage: Stage) {
        let coordinator = kind == .mended ? MendedProfileCoordinator() : ProfileCoordinator()
        coordinator.navigation = navigation
        let model = kind == .mended ? MendedProfileViewModel(coordinator) : ProfileViewModel(coordinator)
        let screen = kind == .mended ? MendedProfileScreen() : ProfileScreen()
        screen.model = model
        model.setLifetimeOwner(screen)
        coordinator.setLifetimeOwner(model)
        if kind != .plain { screen.refreshWhenTheModelChanges() }
        navigation.push(screen)
    }

    /// Sets deadlines for the view model and the coordinator; a screen has its own deadline.
    @MainActor
    private static func expectProfileGone(_ navigation: NavigationStack, _ stage: Stage) throws {
        guard let model = (navigation.top as? ProfileScreen)?.model else { return }
        let delay = stage.registry.configuration.leavingDelay
        try stage.registry.expectDeallocation(of: model, within: delay, because: "its screen was popped")
        try stage.registry.expectDeallocation(of: model.coordinator, within: delay, because: "its screen was popped")
    }
}

/// Runs the flows of an app and keeps a coordinator for each.
///
/// Leaks coordinators, because only the buttons report the end of a flow.
@MainActor
private class AppCoordinator: TracedObject {
    /// The app coordinators, which live forever.
    static var running: [AppCoordinator] = []

    fileprivate(set) var childCoordinators: [ItemCoordinator] = []

    func start(on navigation: NavigationStack) {}

    func showItem(on navigation: NavigationStack) {
        let child = makeChild()
        child.setLifetimeOwner(self)
        childCoordinators.append(child)
        navigation.push(child.makeScreen())
    }

    /// The action of the button on the item's screen.
    func pressDone(on navigation: NavigationStack) {
        childCoordinators.removeLast()
        navigation.pop()
    }

    fileprivate func makeChild() -> ItemCoordinator { ItemCoordinator() }
}

/// An app coordinator that is notified of every pop.
private final class MendedAppCoordinator: AppCoordinator {
    override func start(on navigation: NavigationStack) {
        navigation.didPop = { [weak self] screen in
            self?.childCoordinators.removeAll { $0.screen === screen }
        }
    }

    override func pressDone(on navigation: NavigationStack) {
        navigation.pop()
    }

    override fileprivate func makeChild() -> ItemCoordinator { MendedItemCoordinator() }
}

/// Runs the flow of one item.
@MainActor
private class ItemCoordinator: TracedObject {
    fileprivate(set) weak var screen: Screen?

    func makeScreen() -> Screen {
        let screen = makeItemScreen()
        self.screen = screen
        return screen
    }

    fileprivate func makeItemScreen() -> Screen { ItemScreen() }
}

private final class MendedItemCoordinator: ItemCoordinator {
    override fileprivate func makeItemScreen() -> Screen { MendedItemScreen() }
}

private final class ItemScreen: Screen {}
private final class MendedItemScreen: Screen {}
