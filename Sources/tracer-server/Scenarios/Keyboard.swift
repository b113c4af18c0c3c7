import Foundation
import LifetimeTracerFoundation

/// Where the keyboard was and where it is going to be.
struct KeyboardFrames: Sendable {
    /// A rectangle on the screen, in points.
    struct Frame: Sendable {
        var y: Double
        var height: Double
    }

    let begin: Frame
    let end: Frame

    init?(_ userInfo: [AnyHashable: Any]?) {
        guard let begin = userInfo?["begin"] as? Frame, let end = userInfo?["end"] as? Frame else { return nil }
        self.begin = begin
        self.end = end
    }
}

/// The keyboard of the demo's programs, and the centre where it tells what it does.
@MainActor
enum Keyboard {
    /// A singleton, as such centres are.
    static let center = TracedNotificationCenter()

    static let willShow = NotificationDescriptor(name: Notification.Name("keyboardWillShow")) {
        KeyboardFrames($0.userInfo)
    }
    static let willHide = NotificationDescriptor(name: Notification.Name("keyboardWillHide")) {
        KeyboardFrames($0.userInfo)
    }

    /// Comes up and goes down again.
    static func showAndHide() {
        let up = KeyboardFrames.Frame(y: 500, height: 300)
        let down = KeyboardFrames.Frame(y: 800, height: 0)
        center.post(name: willShow.name, object: nil, userInfo: ["begin": down, "end": up])
        center.post(name: willHide.name, object: nil, userInfo: ["begin": up, "end": down])
    }
}
