import TracerBase

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
            let list = preloaded().map { "\($0):\(agent)" } ?? agent
            // Of several entries, `setenv` would change the first.
            unsetenv("LD_PRELOAD")
            setenv("LD_PRELOAD", list, 1)
        }
        set(.address, options.address)
        if !options.tracesClasses { set(.classes, "0") }
        if options.recordsCreationStacks { set(.stacks, "1") }
        if let file = options.knownLeaks { set(.knownLeaks, file) }
        if let file = options.rules { set(.rules, absolutePath(file)) }
        set(.follow, options.follows ? "1" : nil)
        set(.stay, options.stays ? "1" : nil)
        set(.summary, options.summarises ? "1" : nil)
        set(.exitRecord, record.map { "\($0)" })
        set(.exitLimit, options.worksAtExit ? "\(Int(options.searchLimit * 1000))" : nil)
    }

    /// The libraries that the environment adds; of several entries with that name, the loader takes the last.
    private static func preloaded() -> String? {
        var last: String?
        var entry = environ
        while let text = entry.pointee {
            if strncmp(text, "LD_PRELOAD=", 11) == 0 { last = String(cString: text + 11) }
            entry += 1
        }
        return last
    }

    /// Child processes that follow may be in other folders.
    private static func absolutePath(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    private static func set(_ variable: RunVariable, _ value: String?) {
        if let value { setenv(variable.rawValue, value, 1) } else { unsetenv(variable.rawValue) }
    }
}
