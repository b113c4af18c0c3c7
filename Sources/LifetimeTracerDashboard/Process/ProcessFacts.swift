import LifetimeTracer

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// What does not change about the traced process.
struct ProcessFacts: Sendable {
    let pid: Int32
    let name: String
    let host: String
    let startedAt: WallTime
    /// The version of the compiler that built this.
    let swiftVersion: String
    let libraryVersion: String

    /// The facts of this process.
    ///
    /// - Parameter fallbackStart: What stands for the start where the system does not tell.
    static func current(fallbackStart: WallTime) -> Self {
        Self(
            pid: getpid(), name: name(), host: host(), startedAt: ProcessStart.time() ?? fallbackStart,
            swiftVersion: compilerVersion, libraryVersion: TracerVersion.current)
    }

    private static func name() -> String {
        let path = CommandLine.arguments.first ?? ""
        return path.split(separator: "/").last.map(String.init) ?? "unknown"
    }

    private static func host() -> String {
        var buffer = [CChar](repeating: 0, count: 256)
        // One byte less than there is, so that a name that does not fit is still terminated.
        guard gethostname(&buffer, buffer.count - 1) == 0 else { return "unknown" }
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // The language has no name for its compiler's version, only questions about it.
    #if compiler(>=6.4)
    private static let compilerVersion = "6.4 or later"
    #elseif compiler(>=6.3)
    private static let compilerVersion = "6.3"
    #else
    private static let compilerVersion = "6.2 or earlier"
    #endif
}
