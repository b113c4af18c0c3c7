import LifetimeTracerServer

/// The options of `run`.
struct RunOptions: Sendable, Equatable {
    /// The address that the program's server listens on, as the user wrote it.
    let address: String
    /// Whether child processes start with the agent, too.
    let follows: Bool
    /// Whether the program's classes are traced.
    let tracesClasses: Bool
    /// Whether births record their creation stacks.
    let recordsCreationStacks: Bool
    /// The program as the user named it: a path, or a name to search for in `PATH`.
    let program: String
    /// The number of words behind the program.
    let argumentCount: Int

    /// - Parameter environment: The value of `LIFETIME_TRACER`, which holds if there is no option.
    init(_ arguments: Arguments, environment: String?) throws(UsageError) {
        let syntax = RunCommand.syntax
        follows = arguments.text("--follow") != nil
        tracesClasses = arguments.text("--no-classes") == nil
        recordsCreationStacks = arguments.text("--stacks") != nil
        program = arguments.operands[0]
        argumentCount = arguments.rest.count
        let inherited = environment.flatMap { $0.isEmpty || $0.lowercased() == "off" ? nil : $0 }
        // Each process that follows needs an address of its own.
        let usual = follows ? "127.0.0.1:0" : ListenAddress.standard.description
        address = arguments.text("--listen") ?? inherited ?? usual
        do throws(ServerError) {
            _ = try ListenAddress(address)
        } catch {
            let source = arguments.text("--listen") == nil ? "LIFETIME_TRACER" : "--listen"
            throw syntax.error("\(source) \(error)")
        }
    }
}
