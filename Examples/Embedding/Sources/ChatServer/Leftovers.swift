import LifetimeTracer

// example marks: begin
/// Prints the instances that a piece of work leaves behind.
func printLeftovers(of work: () async throws -> Void) async throws {
    let registry = LifetimeRegistry.shared
    try registry.setMark("before")
    try await work()
    for type in try registry.diff(from: "before").types where type.kept > 0 {
        print("\(type.type.name): \(type.kept) more")
    }
    try registry.removeMark("before")
}
// example marks: end
