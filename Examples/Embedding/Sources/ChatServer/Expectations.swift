import LifetimeTracer

// example deadlines: begin
/// Each kind of object takes deadlines alike.
func leave(_ room: Room, _ connection: Connection, _ upload: Upload) throws {
    let registry = LifetimeRegistry.shared
    try registry.expectDeallocation(of: room, within: .seconds(5), because: "its last member left")
    try registry.expectDeallocation(of: connection, within: .seconds(2), because: "the client hung up")
    try registry.expectDeallocation(of: upload, within: .seconds(2), because: "the upload is complete")
}

/// Limits and counts of whole types.
func setLimits() throws {
    let registry = LifetimeRegistry.shared
    try registry.setBudget(10_000, for: Connection.self)
    try registry.expect(1, of: Heartbeat.self, forEach: Connection.self, because: "each client has one heartbeat")
    registry.observeVerdicts(.standardError).keep()
}
// example deadlines: end
