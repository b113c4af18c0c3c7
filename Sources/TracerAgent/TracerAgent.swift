import CTracerAgent
import CTracerSystem
import EveryClass
import LifetimeTracerServer
import RetainPaths
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The agent: a library with the whole server in it, which the loader adds to a program that does not link the server.
///
/// `tracer-server run` starts a program with the agent. The agent reads the same variables as a program that links
/// `LifetimeTracerServer`. It prints at most one line on standard error at the start, and one more if fork children of
/// the program run on. The program runs on whatever happens.
/// It leaves the process as the program would find it without the agent: the environment without the agent's
/// variables, and the lowest descriptors free.
enum TracerAgent {
    static func startBeforeMain() {
        lt_begin_unchecked_allocations()
        defer {
            lt_end_unchecked_allocations()
            lt_agent_restore_floating_point()
        }
        StandardError.keepToItsFile()
        let follows = value(of: .follow) == "1"
        if !follows { lt_agent_leave_preload_list() }
        // First, so that the program never has the descriptor.
        let exitWork = ExitWork.ofEnvironment()
        if let path = lt_agent_other_copy() {
            // The library in the program starts its own server from the same variables, so they stay.
            StandardError.writeLine(contained(in: String(cString: path)))
            return
        }
        AgentImage.declare(#dsohandle)
        // Before the server, because its start creates objects on other threads.
        let leavesClasses = value(of: .classes) == "0"
        if leavesClasses { ClassHooks.leaveOff() } else { ClassHooks.install(in: .agent) }
        lt_agent_leave_out_destructors()
        lt_agent_occupy_low_descriptors()
        Autostart.readEnvironment()
        lt_agent_release_low_descriptors()
        ForkNotice.plan()
        LastThread.watch()
        exitWork?.plan()
        // Read now, because the first use would be too late.
        _ = LibraryModules.ofEnvironment
        if !follows { lt_agent_remove_variables() }
        // Last, because all that comes before needs them.
        lt_agent_return_code_pages()
    }

    private static func value(of variable: RunVariable) -> String? {
        lt_environment_of_caller(variable.rawValue).map { String(cString: $0) }
    }

    private static func contained(in path: String) -> String {
        "agent not started: \(path.isEmpty ? "the program" : path) contains LifetimeTracer itself, and a process must "
            + "not have two copies; the program's own server starts if LIFETIME_TRACER is set"
    }
}

/// The constructor of the agent: the loader calls each function of this section before `main`.
#if canImport(Darwin)
@section("__DATA,__mod_init_func")
#else
@section(".init_array")
#endif
@used
private let startAgentBeforeMain: @convention(c) () -> Void = {
    TracerAgent.startBeforeMain()
}
