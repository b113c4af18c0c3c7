/// The variables by which `tracer-server run` tells the agent what to do.
///
/// The agent's file contains a note with their names (`run_interface.h`), so that the command notices an agent that was
/// built from other sources and would ignore one of them.
package enum RunVariable: String, CaseIterable, Sendable {
    /// The address of the page.
    case address = "LIFETIME_TRACER"
    /// Leaves the program's classes untraced if set to 0.
    case classes = "LIFETIME_TRACER_CLASSES"
    /// Births record their creation stacks if set to 1.
    case stacks = "LIFETIME_TRACER_STACKS"
    /// The file of known leaks.
    case knownLeaks = "LIFETIME_TRACER_KNOWN_LEAKS"
    /// The file of rules.
    case rules = "LIFETIME_TRACER_RULES"
    /// Keeps the variables in the environment if set to 1, so that child processes start with the agent, too.
    case follow = "LIFETIME_TRACER_FOLLOW"
    /// Keeps the page open at the exit of the program if set to 1.
    case stay = "LIFETIME_TRACER_STAY"
    /// Prints a summary at the exit of the program if set to 1.
    case summary = "LIFETIME_TRACER_SUMMARY"
    /// The descriptor of the memory that the command shares with the program, for the result of the search at exit.
    case exitRecord = "LIFETIME_TRACER_EXIT_RECORD"
    /// The most milliseconds that the work at exit may take.
    case exitLimit = "LIFETIME_TRACER_EXIT_LIMIT"
}
