import LifetimeTracer
import LifetimeTracerTestKit
import Testing
import XCTest

/// Coordinators that outlive their flows, as in the guide.
private enum Leaking {
    // guide: coordinators leaking
    final class AppCoordinator: TracedObject {
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
    final class AppCoordinator: TracedObject {
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

private let wantedLines = [
    "Leaking.ItemCoordinator #", "Expected: it is gone: its flow has ended.",
    "Left behind by the test: 1 Leaking.ProfileScreen, 1 ProfileCoordinator, 1 ProfileViewModel.",
]
private let wantedPath = [
    "Leaking.ItemCoordinator #", ".childCoordinators[0]  ← give this up", "Leaking.ProfileScreen #",
    "  ↳ closure #1 () -> () in Leaking.ProfileScreen.appear()", "  With it goes ProfileCoordinator #",
    "  With it goes ProfileViewModel #",
]

@Suite(.reports(wantedLines, path: wantedPath)) struct LeakingCoordinatorsGuide {
    private typealias AppCoordinator = Leaking.AppCoordinator
    private typealias ProfileScreen = Leaking.ProfileScreen

    // guide: coordinators test
    @Test(.leakFree(because: "a flow leaves nothing"))
    func flowsEnd() {
        let app = AppCoordinator()
        expectDeallocated(after: .zero, because: "its flow has ended") {
            let child = app.showItem()
            child.swipeBack()
            return child
        }

        let profile = ProfileScreen()
        profile.appear()
    }
    // guide: end
}

@Suite struct MendedCoordinatorsGuide {
    private typealias AppCoordinator = Mended.AppCoordinator
    private typealias ProfileScreen = Mended.ProfileScreen

    @Test(.leakFree(because: "a flow leaves nothing"))
    func flowsEnd() {
        let app = AppCoordinator()
        expectDeallocated(after: .zero, because: "its flow has ended") {
            let child = app.showItem()
            child.swipeBack()
            return child
        }

        let profile = ProfileScreen()
        profile.appear()
    }
}

final class LeakingCoordinatorsXCTestGuide: ReportingTestCase {
    private typealias AppCoordinator = Leaking.AppCoordinator
    private typealias ProfileScreen = Leaking.ProfileScreen
    override class var wanted: ReportWanted { ReportWanted(lines: wantedLines, pathLines: wantedPath) }

    // guide: coordinators XCTest
    func testFlowsEnd() {
        let app = AppCoordinator()
        expectDeallocated(after: .zero, because: "its flow has ended") {
            let child = app.showItem()
            child.swipeBack()
            return child
        }

        let profile = ProfileScreen()
        profile.appear()
    }
    // guide: end
}

final class MendedCoordinatorsXCTestGuide: LeakFreeTestCase {
    private typealias AppCoordinator = Mended.AppCoordinator
    private typealias ProfileScreen = Mended.ProfileScreen

    func testFlowsEnd() {
        let app = AppCoordinator()
        expectDeallocated(after: .zero, because: "its flow has ended") {
            let child = app.showItem()
            child.swipeBack()
            return child
        }

        let profile = ProfileScreen()
        profile.appear()
    }
}
