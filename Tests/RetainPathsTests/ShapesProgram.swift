import ForkTesting
import Foundation
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

        /// From the last line: "187 right, 0 poor, 0 wrong".
        private func count(of word: String) -> Int {
            let words = (lines.last ?? "").split { $0 == " " || $0 == "," }
            guard let place = words.firstIndex(of: word[...]), place > 0 else { return -1 }
            return Int(words[place - 1]) ?? -1
        }
    }

    /// Runs it to its end.
    static func run(
        _ arguments: [String], of program: String = "retain-shapes", environment: [String: String] = [:]
    ) async throws -> Outcome {
        let ending = try await BuiltProgram(name: program).run(arguments, environment: environment)
        return Outcome(status: ending.status, lines: ending.lines)
    }
}
