#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The variables that make the loader add the agent, and that tell the agent what to do.
///
/// The agent removes them, so that the program and its children do not see them.
enum RunEnvironment {
    /// Sets the variables of this process, which the program inherits.
    ///
    /// - Parameter agent: The path of the agent; `nil` to start the program without the agent.
    static func set(agent: String?, _ options: RunOptions) {
        if let agent {
            // Other libraries in the list come first, as they do without the agent: the first ones replace functions.
            let list = getenv("LD_PRELOAD").map { "\(String(cString: $0)):\(agent)" } ?? agent
            setenv("LD_PRELOAD", list, 1)
        }
        setenv("LIFETIME_TRACER", options.address, 1)
        if !options.tracesClasses { setenv("LIFETIME_TRACER_CLASSES", "0", 1) }
        if options.recordsCreationStacks { setenv("LIFETIME_TRACER_STACKS", "1", 1) }
        if options.follows {
            setenv("LIFETIME_TRACER_FOLLOW", "1", 1)
        } else {
            unsetenv("LIFETIME_TRACER_FOLLOW")
        }
    }
}
