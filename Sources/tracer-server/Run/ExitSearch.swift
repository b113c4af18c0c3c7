import CTracerSystem
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// The result of the search for leaks at the exit of a program.
struct ExitSearch: Sendable, Equatable {
    enum Outcome: Sendable, Equatable {
        /// The search has ended, with this number of leaks that are not known.
        case searched(leaks: Int)
        /// No search has taken place, for this reason.
        case none(reason: String)
    }

    let outcome: Outcome
    /// The report in words; empty if there is nothing to report.
    var text = ""
    /// The report as JSON; `nil` without a search.
    var json: [UInt8]?
}

/// The memory that this process shares with the agent in the program.
///
/// `@unchecked Sendable` is safe because only the first thread of this process uses the memory, which stays mapped. The
/// agent writes the result before the state, which is atomic.
struct ExitRecord: @unchecked Sendable {
    private let memory: OpaquePointer
    /// The descriptor that the program inherits.
    let descriptor: Int32

    /// Creates the memory.
    init() throws(SystemError) {
        var descriptor: Int32 = -1
        guard let memory = lt_exit_record_create(&descriptor) else { throw .last }
        self.memory = memory
        self.descriptor = descriptor
    }

    /// Creates the memory for a run.
    static func create() throws(RunRefusal) -> ExitRecord {
        do throws(SystemError) {
            return try ExitRecord()
        } catch {
            let remedy = error.number == EFBIG ? "; raise the limit on the size of files (ulimit -f)" : ""
            throw RunRefusal("no memory for the result of the search at exit: \(error)\(remedy)")
        }
    }

    /// Whether the search has a result already.
    var isSearched: Bool { lt_exit_record_state(memory) == LT_EXIT_SEARCHED }

    /// Tells the agent that the result has been printed.
    func notePrinted() { lt_exit_record_change_state(memory, LT_EXIT_SEARCHED, LT_EXIT_PRINTED) }

    /// The result of the search after a program has ended.
    ///
    /// - Parameter limit: The most seconds that the search was given.
    func search(after ending: SupervisedProgram.Ending, limit: Double) -> ExitSearch {
        let state = lt_exit_record_state(memory)
        switch state {
        case LT_EXIT_SEARCHED, LT_EXIT_PRINTED:
            return ExitSearch(
                outcome: .searched(leaks: Int(clamping: lt_exit_record_leaks(memory))), text: text,
                json: bytes(lt_exit_record_json))
        case LT_EXIT_FAILED: return ExitSearch(outcome: .none(reason: text))
        case LT_EXIT_TIMED_OUT:
            return ExitSearch(
                outcome: .none(
                    reason: "the search did not end within \(limit) seconds; --search-limit sets another limit"))
        default: break
        }
        let manner =
            switch ending {
            case .killed(let signal): "was ended by signal \(signal) (\(String(cString: lt_signal_name(signal))))"
            case .exited(let status): "ended with status \(status)"
            }
        let reason =
            switch state {
            case LT_EXIT_SEARCHING: "the program \(manner) during the search"
            case LT_EXIT_PLANNED:
                if case .killed = ending {
                    "the program \(manner)"
                } else {
                    "the program \(manner) without a call of exit: it called _exit or quick_exit, or exec started "
                        + "another program. swift test does the latter; run the tests' own program instead: "
                        + ".build/debug/…PackageTests.xctest. A program that puts itself into the background (a "
                        + "daemon) ends like that, too; start it in the foreground"
                }
            default: "the program \(manner), and the agent did not start in it"
            }
        return ExitSearch(outcome: .none(reason: reason))
    }

    private var text: String { String(decoding: bytes(lt_exit_record_text), as: UTF8.self) }

    private func bytes(
        _ part: (OpaquePointer, UnsafeMutablePointer<Int>) -> UnsafePointer<UInt8>
    ) -> [UInt8] {
        var size = 0
        let start = part(memory, &size)
        // Safe: the part has that many bytes, which nobody changes after the program has ended or the search has.
        return Array(UnsafeBufferPointer(start: start, count: size))
    }
}
