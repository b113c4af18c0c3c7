import Foundation
import LifetimeTracer

/// A program that was built together with the tests, and that runs as its own process.
package struct BuiltProgram {
    /// The outcome of a run.
    package struct Ending: Sendable {
        /// The exit code; negative if a signal ended the program.
        package let status: Int32
        /// The lines of standard output and standard error.
        package let lines: [String]
    }

    private let name: String

    package init(name: String) {
        self.name = name
    }

    /// Runs the program to its end.
    ///
    /// - Parameter environment: Variables in addition to those of the tests.
    package func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Ending {
        let file = FileManager.default.temporaryDirectory.appending(path: "\(name)-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        let process = Process()
        process.executableURL = try Self.folder().appending(path: name)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LIFETIME_TRACER") }
            .merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let end = End()
        process.terminationHandler = { _ in end.reach() }
        try process.run()
        await end.wait()
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let code = process.terminationStatus
        return Ending(
            status: process.terminationReason == .exit ? code : -code,
            lines: text.split(separator: "\n").map(String.init))
    }

    /// The folder of the programs that were built together with these tests.
    package static func folder() throws -> URL {
        #if os(Linux)
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: own).deletingLastPathComponent()
        #else
        return Bundle.main.bundleURL
        #endif
    }

    /// The end of a process, which may come before the wait for it begins.
    private final class End: Sendable {
        private struct State: LockedState {
            var isReached = false
            var waiting: CheckedContinuation<Void, Never>?
        }

        private let state = Locked(State())

        func reach() {
            let waiting = state.withLock { state in
                state.isReached = true
                return state.waiting
            }
            waiting?.resume()
        }

        func wait() async {
            await withCheckedContinuation { continuation in
                let isReached = state.withLock { state in
                    if !state.isReached { state.waiting = continuation }
                    return state.isReached
                }
                if isReached { continuation.resume() }
            }
        }
    }
}
