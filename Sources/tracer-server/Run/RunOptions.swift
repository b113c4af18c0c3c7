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
    /// Whether leaks at the exit of the program fail the run.
    let failsOnLeaks: Bool
    /// The file for the report about leaks at exit; `nil` without a report.
    let report: String?
    /// The file of known leaks; `nil` for that of the environment.
    let knownLeaks: String?
    /// The file of rules; `nil` for that of the environment.
    let rules: String?
    /// The most seconds that the search at exit may take.
    let searchLimit: Double
    /// Whether the page stays open at the exit of the program.
    let stays: Bool
    /// Whether the agent prints a summary at the exit of the program.
    let summarises: Bool
    /// The program as the user named it: a path, or a name to search for in `PATH`.
    let program: String
    /// The number of words behind the program.
    let argumentCount: Int

    /// Whether leaks are searched for at the exit of the program.
    var searchesAtExit: Bool { failsOnLeaks || report != nil }

    /// Whether the agent works at the exit of the program.
    var worksAtExit: Bool { searchesAtExit || stays || summarises }

    /// - Parameter environment: The value of `LIFETIME_TRACER`, which holds if there is no option.
    init(_ arguments: Arguments, environment: String?) throws(UsageError) {
        let syntax = RunCommand.syntax
        follows = arguments.text("--follow") != nil
        tracesClasses = arguments.text("--no-classes") == nil
        recordsCreationStacks = arguments.text("--stacks") != nil
        failsOnLeaks = arguments.text("--fail-on-leaks") != nil
        report = arguments.text("--report")
        knownLeaks = arguments.text("--known-leaks")
        rules = arguments.text("--rules")
        searchLimit = try arguments.seconds("--search-limit", in: 0.001...86_400) ?? 60
        stays = arguments.text("--stay") != nil
        summarises = arguments.text("--summary") != nil
        program = arguments.operands[0]
        argumentCount = arguments.rest.count
        let atExit = ["--fail-on-leaks", "--report", "--stay", "--summary"]
        if !failsOnLeaks, report == nil, arguments.text("--search-limit") != nil {
            throw syntax.error("--search-limit concerns the search for leaks at exit; add --fail-on-leaks or --report")
        }
        if recordsCreationStacks, !tracesClasses {
            throw syntax.error("--stacks concerns traced classes, and --no-classes traces none; leave out one of them")
        }
        for name in atExit where follows && arguments.text(name) != nil {
            throw syntax.error(
                "\(name) concerns the exit of one program, so it cannot be combined with --follow; leave out one of "
                    + "them")
        }
        if rules?.isEmpty == true { throw syntax.error("--rules requires the path of a file") }
        if report?.isEmpty == true { throw syntax.error("--report requires the path of a file") }
        let streams = ["/dev/stdin", "/dev/stdout", "/dev/fd/", "/proc/self/fd/"]
        if let report, report == "-" || streams.contains(where: { report.hasPrefix($0) }) {
            throw syntax.error(
                "--report \"\(report)\" is a descriptor, and the command leaves all except standard error to the "
                    + "program; pass the path of a file, or /dev/stderr")
        }
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
