import CTracerSystem
import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The facts about the traced process that do not change.
struct ProcessFacts: Sendable {
    let pid: Int32
    let name: String
    let host: String
    let startedAt: WallTime
    /// The version of the compiler that built the dashboard.
    let swiftVersion: String
    let libraryVersion: String

    /// Returns the facts of this process.
    ///
    /// - Parameter fallbackStart: The start time to use if the system does not provide one.
    static func current(fallbackStart: WallTime) -> Self {
        Self(
            pid: getpid(), name: name(), host: host(), startedAt: ProcessStart.time() ?? fallbackStart,
            swiftVersion: compilerVersion, libraryVersion: TracerVersion.current)
    }

    private static func name() -> String {
        let name = String(cString: lt_program_name())
        return name.isEmpty ? "unknown" : name
    }

    private static func host() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        // One byte stays unused, so that a truncated name is still terminated.
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // Swift has no expression for the compiler's version, only conditional compilation by version.
    #if compiler(>=6.4)
    private static let compilerVersion = "6.4 or later"
    #elseif compiler(>=6.3)
    private static let compilerVersion = "6.3"
    #else
    private static let compilerVersion = "6.2 or earlier"
    #endif
}
