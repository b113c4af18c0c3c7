import Foundation
import LifetimeTracer

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// example inherits: begin
/// A class without a superclass inherits from `TracedObject`.
final class Session: TracedObject {
    let user: String

    init(user: String) {
        self.user = user
        super.init()
    }
}
// example inherits: end

// example stores: begin
/// An actor conforms with one line.
actor Room: Traced {
    let lifetimeToken = LifetimeToken(of: Room.self)
    private var members: [Session] = []

    func join(_ user: String) { members.append(Session(user: user)) }
    func close() { members = [] }
}

/// A `Sendable` class conforms with one line.
final class Connection: Traced, Sendable {
    let lifetimeToken = LifetimeToken(of: Connection.self)
    let address: String

    init(address: String) { self.address = address }
}

/// A class with another superclass conforms with one line.
final class Upload: NSObject, URLSessionTaskDelegate, Traced {
    let lifetimeToken = LifetimeToken(of: Upload.self)
}

/// A class of the main actor conforms with one line.
@MainActor final class StatusBoard: Traced {
    let lifetimeToken = LifetimeToken(of: StatusBoard.self)
    var lines: [String] = []
}
// example stores: end
