import Foundation

/// The paths of the programs that were built together with these tests.
enum Builds {
    /// The program `tracer-server`.
    static let tracerServer = folder.appending(path: "tracer-server")

    /// A program that does not link the library.
    static let plainProgram = folder.appending(path: "plain-program")

    /// One in C, which calls `exit` in a signal handler.
    static let signalSources = folder.appending(path: "signal-sources")
    static let exitInHandler = folder.appending(path: "exit-in-handler")

    /// Another one, with classes of many kinds.
    static let classZoo = folder.appending(path: "class-zoo")

    /// The same with the library in it, which traces its own classes.
    static let linkedClassZoo = folder.appending(path: "linked-class-zoo")

    /// The library that is added to such a program.
    static let agent = folder.appending(path: "libTracerAgent.so")

    private static var folder: URL {
        #if os(Linux)
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: own ?? CommandLine.arguments[0]).deletingLastPathComponent()
        #else
        return Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
            ?? Bundle.main.bundleURL
        #endif
    }
}
