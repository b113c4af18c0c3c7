import ForkTesting
import Foundation
import RetainPaths
import Testing

extension Trait where Self == ConditionTrait {
    /// Skips a test under a sanitizer, where searches are impossible.
    ///
    /// Everywhere else the test must pass.
    static var disabledUnderSanitizers: Self {
        .enabled("under a sanitizer") { dlsym(nil, "__asan_init") == nil && dlsym(nil, "__tsan_init") == nil }
    }
}

/// The program `retain-shapes`, which runs in its own process, because it changes process-wide state and must survive.
enum ShapesProgram {
    /// The outcome of a run.
    struct Outcome: CustomStringConvertible {
        /// The exit code; negative if a signal ended the program.
        let status: Int32
        let lines: [String]

        var right: Int { count(of: "right") }
        var wrong: Int { count(of: "wrong") }
        var poor: Int { count(of: "poor") }
        var description: String { (["exit status \(status)"] + problems).joined(separator: "\n") }

        /// All lines except those of right answers.
        private var problems: [String] { lines.filter { !$0.hasPrefix("ok ") } }

        /// A count in the last line, "187 right, 0 poor, 0 wrong".
        private func count(of word: String) -> Int {
            let words = (lines.last ?? "").split { $0 == " " || $0 == "," }
            guard let place = words.firstIndex(of: word[...]), place > 0 else { return -1 }
            return Int(words[place - 1]) ?? -1
        }
    }

    /// Runs the program to its end.
    static func run(
        _ arguments: [String], of program: String = "retain-shapes", environment: [String: String] = [:]
    ) async throws -> Outcome {
        let ending = try await BuiltProgram(name: program).run(arguments, environment: environment)
        return Outcome(status: ending.status, lines: ending.lines)
    }
}
