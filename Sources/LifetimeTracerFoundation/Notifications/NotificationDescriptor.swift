public import Foundation

/// Describes a notification by name, with a conversion to a typed payload.
///
/// ```swift
/// let willShow = NotificationDescriptor(name: keyboardWillShow) { notification in
///     KeyboardFrames(notification.userInfo)
/// }
/// let token = center.addObserver(with: willShow, owner: self) { [weak self] frames in
///     self?.makeRoom(for: frames)
/// }
/// ```
public struct NotificationDescriptor<Payload>: Sendable {
    /// The notification's name, which is also the event under which its observers are counted.
    public let name: Notification.Name

    let payload: @Sendable (Notification) -> Payload?

    /// Describes a notification.
    ///
    /// - Parameters:
    ///   - name: The notification's name.
    ///   - payload: Reads the payload. Called for each notification, on the thread on which it is delivered. A
    ///     notification for which it returns `nil` is neither delivered nor counted.
    public init(name: Notification.Name, payload: @escaping @Sendable (Notification) -> Payload?) {
        self.name = name
        self.payload = payload
    }
}

extension NotificationDescriptor where Payload == Void {
    /// Describes a notification without a payload.
    public init(name: Notification.Name) {
        self.init(name: name) { _ in () }
    }
}
