import Foundation
import LifetimeTracerFoundation

/// The frames of the keyboard before and after a change.
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

/// The simulated keyboard, and the notification centre to which it posts.
@MainActor
enum Keyboard {
    /// The notification centre, a singleton like the default one.
    static let center = TracedNotificationCenter()

    static let willShow = NotificationDescriptor(name: Notification.Name("keyboardWillShow")) {
        KeyboardFrames($0.userInfo)
    }
    static let willHide = NotificationDescriptor(name: Notification.Name("keyboardWillHide")) {
        KeyboardFrames($0.userInfo)
    }

    /// Posts the notifications of a keyboard that is shown and hidden again.
    static func showAndHide() {
        let up = KeyboardFrames.Frame(y: 500, height: 300)
        let down = KeyboardFrames.Frame(y: 800, height: 0)
        center.post(name: willShow.name, object: nil, userInfo: ["begin": down, "end": up])
        center.post(name: willHide.name, object: nil, userInfo: ["begin": up, "end": down])
    }
}
