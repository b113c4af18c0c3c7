import LifetimeTracer

/// A screen that shows a profile.
///
/// The navigation holds the screen, and the screen holds its view model.
@MainActor
class ProfileScreen: Screen {
    var model: ProfileViewModel?
    fileprivate(set) var refreshes = 0

    /// Leaks: the screen holds the model, the model holds the closure, and the closure holds the screen.
    func refreshWhenTheModelChanges() {
        model?.didChange = { self.refreshes += 1 }
    }
}

/// The mended profile screen, which the closure holds weakly.
final class MendedProfileScreen: ProfileScreen {
    override func refreshWhenTheModelChanges() {
        model?.didChange = { [weak self] in self?.refreshes += 1 }
    }
}

/// The view model of a profile screen; it holds the coordinator.
@MainActor
class ProfileViewModel: TracedObject {
    let coordinator: ProfileCoordinator
    var didChange: () -> Void = {}

    init(_ coordinator: ProfileCoordinator) {
        self.coordinator = coordinator
        super.init()
    }
}

/// The view model of the mended form.
///
/// Its own type name distinguishes the two forms.
final class MendedProfileViewModel: ProfileViewModel {}

/// The coordinator of the profile flow.
///
/// Only the view model holds it, and it holds the navigation weakly.
@MainActor
class ProfileCoordinator: TracedObject {
    weak var navigation: NavigationStack?
}

/// The coordinator of the mended form.
///
/// Its own type name distinguishes the two forms.
final class MendedProfileCoordinator: ProfileCoordinator {}
