import Foundation
import KitTesting
import LifetimeTracer
import LifetimeTracerFoundation
import LifetimeTracerTestKit
import Testing
import XCTest

/// A screen that observes the keyboard, as in the guide.
private enum Keyboard {
    static let center = NotificationCenter()
    static let willShow = NotificationDescriptor<Double>(name: Notification.Name("keyboardWillShow")) { _ in 300 }
    static let willHide = NotificationDescriptor<Double>(name: Notification.Name("keyboardWillHide")) { _ in 0 }
}

private enum Leaking {
    // guide: keyboard leaking
    @MainActor final class TextScreen: TracedObject {
        private var bottomInset = 0.0
        private var tokens: [ObserverToken] = []

        func appear() {
            tokens = [
                Keyboard.center.addObserver(
                    with: Keyboard.willShow, owner: self, onMainActor: { self.bottomInset = $0 }),
                Keyboard.center.addObserver(
                    with: Keyboard.willHide, owner: self, onMainActor: { self.bottomInset = $0 }),
            ]
        }
    }
    // guide: end
}

private enum Mended {
    @MainActor final class TextScreen: TracedObject {
        private var bottomInset = 0.0
        private var tokens: [ObserverToken] = []

        func appear() {
            tokens = [
                Keyboard.center.addObserver(
                    with: Keyboard.willShow, owner: self,
                    onMainActor: { [weak self] in self?.bottomInset = $0 }),
                Keyboard.center.addObserver(
                    with: Keyboard.willHide, owner: self,
                    onMainActor: { [weak self] in self?.bottomInset = $0 }),
            ]
        }
    }
}

private let wantedLines = [
    "Left behind by the test: 1 ", "Expected: all instances and tokens of the test are released",
    "• notification token for keyboardWillShow, owner ",
    "• notification token for keyboardWillHide, owner ",
]
private let wantedPath = ["  Notification", "  Fingerprint: "]

@Suite(.repeatedOnRequest, .reports(wantedLines, path: ["Leaking.TextScreen #"])) struct LeakingKeyboardGuide {
    private typealias TextScreen = Leaking.TextScreen

    // guide: keyboard test
    @Test(.leakFree)
    @MainActor func textScreenIsReleased() {
        let screen = TextScreen()
        screen.appear()
    }
    // guide: end
}

@Suite(.repeatedOnRequest) struct MendedKeyboardGuide {
    private typealias TextScreen = Mended.TextScreen

    @Test(.leakFree)
    @MainActor func textScreenIsReleased() {
        let screen = TextScreen()
        screen.appear()
    }
}

final class LeakingKeyboardXCTestGuide: ReportingTestCase {
    private typealias TextScreen = Leaking.TextScreen
    override class var wanted: ReportWanted { ReportWanted(lines: wantedLines, pathLines: ["Leaking.TextScreen #"]) }

    // guide: keyboard XCTest
    @MainActor func testTextScreenIsReleased() async {
        let screen = TextScreen()
        screen.appear()
    }
    // guide: end
}

final class MendedKeyboardXCTestGuide: LeakFreeTestCase {
    private typealias TextScreen = Mended.TextScreen

    @MainActor func testTextScreenIsReleased() async {
        let screen = TextScreen()
        screen.appear()
    }
}
