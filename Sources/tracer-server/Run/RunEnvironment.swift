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
    /// - Parameters:
    ///   - agent: The path of the agent; `nil` to start the program without the agent.
    ///   - record: The descriptor of the memory for the search at exit; `nil` if there is none.
    static func set(agent: String?, record: Int32?, _ options: RunOptions) {
        if let agent {
            // Other libraries in the list come first, as they do without the agent: the first ones replace functions.
            let list = getenv("LD_PRELOAD").map { "\(String(cString: $0)):\(agent)" } ?? agent
            setenv("LD_PRELOAD", list, 1)
        }
        setenv("LIFETIME_TRACER", options.address, 1)
        if !options.tracesClasses { setenv("LIFETIME_TRACER_CLASSES", "0", 1) }
        if options.recordsCreationStacks { setenv("LIFETIME_TRACER_STACKS", "1", 1) }
        if let file = options.knownLeaks { setenv("LIFETIME_TRACER_KNOWN_LEAKS", file, 1) }
        if let file = options.rules { setenv("LIFETIME_TRACER_RULES", absolutePath(file), 1) }
        set("LIFETIME_TRACER_FOLLOW", options.follows ? "1" : nil)
        set("LIFETIME_TRACER_STAY", options.stays ? "1" : nil)
        set("LIFETIME_TRACER_SUMMARY", options.summarises ? "1" : nil)
        set("LIFETIME_TRACER_EXIT_RECORD", record.map { "\($0)" })
        set("LIFETIME_TRACER_EXIT_LIMIT", options.worksAtExit ? "\(Int(options.searchLimit * 1000))" : nil)
    }

    /// Child processes that follow may be in other folders.
    private static func absolutePath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func set(_ name: String, _ value: String?) {
        if let value { setenv(name, value, 1) } else { unsetenv(name) }
    }
}
