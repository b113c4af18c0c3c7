import KitTesting
import LifetimeTracer
import LifetimeTracerTestKit
import Testing
import XCTest

/// Coordinators that outlive their flows, as in the guide.
private enum Leaking {
    // guide: coordinators leaking
    @MainActor final class AppCoordinator {
        static let running = AppCoordinator()
        private var childCoordinators: [ItemCoordinator] = []

        func showItem() -> ItemCoordinator {
            let child = ItemCoordinator()
            childCoordinators.append(child)
            return child
        }
    }

    final class ItemCoordinator: TracedObject {
        /// The back swipe tells nobody.
        func swipeBack() {}
    }

    final class ProfileScreen: TracedObject {
        let model = ProfileViewModel()
        private var refresh: (() -> Void)?

        func appear() { refresh = { self.model.load() } }
    }
    // guide: end
}

private final class ProfileViewModel: TracedObject {
    let coordinator = ProfileCoordinator()

    func load() {}
}

private final class ProfileCoordinator: TracedObject {}

private enum Mended {
    @MainActor final class AppCoordinator {
        static let running = AppCoordinator()
        private var childCoordinators: [ItemCoordinator] = []

        func showItem() -> ItemCoordinator {
            let child = ItemCoordinator()
            child.didEnd = { [weak self, weak child] in self?.childCoordinators.removeAll { $0 === child } }
            childCoordinators.append(child)
            return child
        }
    }

    final class ItemCoordinator: TracedObject {
        var didEnd: () -> Void = {}

        func swipeBack() { didEnd() }
    }

    final class ProfileScreen: TracedObject {
        let model = ProfileViewModel()
        private var refresh: (() -> Void)?

        func appear() { refresh = { [weak self] in self?.model.load() } }
    }
}

private let wantedOfChild = ReportWanted(
    lines: ["Leaking.ItemCoordinator #", "Expected: the instance is deallocated: its flow has ended."],
    pathLines: ["static Leaking.AppCoordinator.running", "  ↳ .childCoordinators["])

private let wantedOfProfile = ReportWanted(
    lines: ["Left behind by the test: 1 Leaking.ProfileScreen, 1 ProfileCoordinator, 1 ProfileViewModel."],
    pathLines: [
        "Leaking.ProfileScreen #", "  ↳ closure #1 () -> () in Leaking.ProfileScreen.appear()",
        "  Victim: ProfileCoordinator #", "  Victim: ProfileViewModel #",
    ])

@Suite(.repeatedOnRequest, ReportsTrait(wanted: wantedOfChild)) struct LeakingCoordinatorsGuide {
    private typealias AppCoordinator = Leaking.AppCoordinator

    // guide: coordinators test
    @Test(.leakFree)
    @MainActor func coordinatorIsReleasedWhenItsFlowEnds() {
        expectDeallocated(after: .zero, because: "its flow has ended") {
            let child = AppCoordinator.running.showItem()
            child.swipeBack()
            return child
        }
    }
    // guide: end
}

@Suite(.repeatedOnRequest, ReportsTrait(wanted: wantedOfProfile)) struct LeakingProfileGuide {
    private typealias ProfileScreen = Leaking.ProfileScreen

    // guide: profile test
    @Test(.leakFree)
    func profileIsReleasedWithItsScreen() {
        let profile = ProfileScreen()
        profile.appear()
    }
    // guide: end
}

final class LeakingCoordinatorsXCTestGuide: ReportingTestCase {
    private typealias AppCoordinator = Leaking.AppCoordinator
    override class var wanted: ReportWanted { wantedOfChild }

    // guide: coordinators XCTest
    @MainActor func testCoordinatorIsReleasedWhenItsFlowEnds() async {
        await expectDeallocated(after: .zero, because: "its flow has ended") {
            let child = AppCoordinator.running.showItem()
            child.swipeBack()
            return child
        }
    }
    // guide: end
}

final class LeakingProfileXCTestGuide: ReportingTestCase {
    private typealias ProfileScreen = Leaking.ProfileScreen
    override class var wanted: ReportWanted { wantedOfProfile }

    // guide: profile XCTest
    func testProfileIsReleasedWithItsScreen() {
        let profile = ProfileScreen()
        profile.appear()
    }
    // guide: end
}

@Suite(.repeatedOnRequest) struct MendedCoordinatorsGuide {
    private typealias AppCoordinator = Mended.AppCoordinator

    @Test(.leakFree)
    @MainActor func coordinatorIsReleasedWhenItsFlowEnds() {
        expectDeallocated(after: .zero, because: "its flow has ended") {
            let child = AppCoordinator.running.showItem()
            child.swipeBack()
            return child
        }
    }
}

@Suite(.repeatedOnRequest) struct MendedProfileGuide {
    private typealias ProfileScreen = Mended.ProfileScreen

    @Test(.leakFree)
    func profileIsReleasedWithItsScreen() {
        let profile = ProfileScreen()
        profile.appear()
    }
}

final class MendedCoordinatorsXCTestGuide: LeakFreeTestCase {
    private typealias AppCoordinator = Mended.AppCoordinator

    @MainActor func testCoordinatorIsReleasedWhenItsFlowEnds() async {
        await expectDeallocated(after: .zero, because: "its flow has ended") {
            let child = AppCoordinator.running.showItem()
            child.swipeBack()
            return child
        }
    }
}

final class MendedProfileXCTestGuide: LeakFreeTestCase {
    private typealias ProfileScreen = Mended.ProfileScreen

    func testProfileIsReleasedWithItsScreen() {
        let profile = ProfileScreen()
        profile.appear()
    }
}
