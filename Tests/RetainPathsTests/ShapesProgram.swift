import Foundation
import LifetimeTracer
import RetainPaths
import Testing

extension Trait where Self == ConditionTrait {
    /// Passes a test over under a sanitizer, where there are no retain paths; everywhere else it has to pass.
    static var whereRetainPathsCanBeHad: Self {
        .enabled("under a sanitizer") { dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil }
    }
}

/// The program `retain-shapes`, run as a process of its own: it changes much that is process-wide, and must not come to harm
/// itself.
enum ShapesProgram {
    /// How a run has ended.
    struct Outcome: CustomStringConvertible {
        /// The exit code; negative when a signal ended it.
        let status: Int32
        let lines: [String]

        var right: Int { count(of: "right") }
        var wrong: Int { count(of: "wrong") }
        var description: String { (["exit status \(status)"] + problems).joined(separator: "\n") }

        /// Everything but the right answers.
        private var problems: [String] { lines.filter { !$0.hasPrefix("ok ") } }

        /// From the last line: "187 right, 0 wrong".
        private func count(of word: String) -> Int {
            let words = (lines.last ?? "").split { $0 == " " || $0 == "," }
            guard let place = words.firstIndex(of: word[...]), place > 0 else { return -1 }
            return Int(words[place - 1]) ?? -1
        }
    }

    /// Runs it to its end.
    static func run(_ arguments: [String]) async throws -> Outcome {
        let file = FileManager.default.temporaryDirectory.appending(path: "retain-shapes-\(UUID().uuidString)")
        guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }
        let process = Process()
        process.executableURL = try programFolder().appending(path: "retain-shapes")
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("LIFETIME_TRACER") }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let ending = Ending()
        process.terminationHandler = { _ in ending.reach() }
        try process.run()
        await ending.wait()
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let code = process.terminationStatus
        return Outcome(
            status: process.terminationReason == .exit ? code : -code,
            lines: text.split(separator: "\n").map(String.init))
    }

    /// Where the programs are that were built together with these tests.
    private static func programFolder() throws -> URL {
        #if os(Linux)
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return URL(filePath: own).deletingLastPathComponent()
        #else
        return Bundle.main.bundleURL
        #endif
    }

    /// The end of a process, which may come before anybody waits for it.
    private final class Ending: Sendable {
        private let state = Locked<(isReached: Bool, waiting: CheckedContinuation<Void, Never>?)>((false, nil))

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
