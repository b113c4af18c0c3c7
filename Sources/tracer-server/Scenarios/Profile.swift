import LifetimeTracer

/// Shows a profile.
///
/// The navigation holds it, and it holds its view model.
@MainActor
class ProfileScreen: Screen {
    var model: ProfileViewModel?
    fileprivate(set) var refreshes = 0

    /// Leaks: the screen holds the model, the model the closure, and the closure the screen.
    func refreshWhenTheModelChanges() {
        model?.didChange = { self.refreshes += 1 }
    }
}

/// The same screen, which the closure holds weakly.
final class MendedProfileScreen: ProfileScreen {
    override func refreshWhenTheModelChanges() {
        model?.didChange = { [weak self] in self?.refreshes += 1 }
    }
}

/// What the screen shows; holds the coordinator.
@MainActor
class ProfileViewModel: TracedObject {
    let coordinator: ProfileCoordinator
    var didChange: () -> Void = {}

    init(_ coordinator: ProfileCoordinator) {
        self.coordinator = coordinator
        super.init()
    }
}

/// The view model of the mended form, by a name of its own so that the two can be told apart.
final class MendedProfileViewModel: ProfileViewModel {}

/// Runs the flow; nobody keeps it but the view model, and it holds the navigation weakly.
@MainActor
class ProfileCoordinator: TracedObject {
    weak var navigation: NavigationStack?
}

/// The coordinator of the mended form, by a name of its own so that the two can be told apart.
final class MendedProfileCoordinator: ProfileCoordinator {}
