import Dispatch
import Foundation
import LifetimeTracer
import LifetimeTracerFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// example tokens: begin
/// The server's own notification, with a typed payload.
enum Notices {
    static let maintenance = NotificationDescriptor<String>(name: Notification.Name("maintenance")) {
        $0.userInfo?["reason"] as? String
    }
    static let joined = ObserverHub<String>(event: "a user joined")
}

/// The registrations of a connection, which end with the heartbeat, because its bag holds them.
final class Heartbeat: Traced, Sendable {
    let lifetimeToken = LifetimeToken(of: Heartbeat.self)
    private let registrations = RegistrationBag()

    func start() {
        DispatchSource.timerToken(after: .seconds(1), every: .seconds(30), event: "heartbeat", owner: self) {
            [weak self] in self?.report("alive")
        }
        .store(in: registrations)
        NotificationCenter.default.addObserver(with: Notices.maintenance, owner: self) {
            [weak self] reason in self?.report(reason)
        }
        .store(in: registrations)
        Notices.joined.observe(owner: self) { [weak self] user in self?.report(user) }?.store(in: registrations)
        URLSession.shared.startDataTask(with: URLRequest(url: Self.statusPage), owner: self) {
            [weak self] data, _, _ in self?.report("\(data?.count ?? 0) bytes")
        }
        .store(in: registrations)
    }

    private func report(_ text: String) { print(text) }
    private static let statusPage = URL(filePath: "/dev/null")
}
// example tokens: end
