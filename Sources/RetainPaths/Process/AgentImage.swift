import CRetainPaths
import LifetimeTracer

/// The image of the agent, if the tracer is a library of its own in a program that knows nothing of it.
///
/// In a program that links the library, the tracer's code and variables are part of the program, which may use the
/// library as it likes. There, captures show the tracer's objects by their types.
package enum AgentImage {
    /// States that the calling image is the agent.
    ///
    /// Call it once, before the first search.
    ///
    /// - Parameter handle: The image's `#dsohandle`.
    package static func declare(_ handle: UnsafeRawPointer) {
        rp_declare_agent(handle)
    }

    #if os(Linux) && arch(x86_64) && canImport(Glibc)
    /// Whether a loaded object belongs to the agent: the agent itself, or the library of its server, which no other
    /// part of a program usually loads.
    static func contains(_ object: LoadedVariables) -> Bool {
        let variable = rp_variable_of_agent()
        guard variable != 0 else { return false }
        let name = object.path.split(separator: "/").last ?? ""
        return name.hasPrefix("libmicrohttpd.") || (object.writable + object.code).contains { $0.contains(variable) }
    }
    #endif
}
