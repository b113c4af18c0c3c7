// example README classes: begin
import LifetimeTracer

final class Session: TracedObject {
    var user = "nobody"
}

actor Connection: Traced {
    let lifetimeToken = LifetimeToken(of: Connection.self)
}
// example README classes: end

func stateExpectations(of session: Session) throws {
    // example README expectations: begin
    try LifetimeRegistry.shared.expectDeallocation(of: session, within: .seconds(2), because: "logged out")
    try LifetimeRegistry.shared.setBudget(100, for: Session.self)
    LifetimeRegistry.shared.observeVerdicts(.standardError).keep()
    // example README expectations: end
}
