import CTracerSystem
import LifetimeTracer
import RetainPaths
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Searches the heap for leaks when the process of the tests exits, without a line of code in the tests.
///
/// `LIFETIME_TRACER_LEAKS_AT_EXIT` says what a leak does: with `fail` or `1` the process exits with status 1, with
/// `warn` it only reports the leak. A leak is a cycle of objects of the program, of any class, that exists when the
/// process calls `exit`. The report goes to standard error. A process that fails for another reason keeps its status.
enum LeaksAtExit {
    /// The variable of the environment.
    static let variable = "LIFETIME_TRACER_LEAKS_AT_EXIT"

    /// The effect of a leak on the process, by the value of the variable.
    enum Effect: LockedState {
        case failure
        case warning

        /// - Returns: `nil` if the value turns the search off.
        /// - Throws: ``InvalidValue``.
        init?(_ value: String) throws(InvalidValue) {
            switch value.lowercased() {
            case "1", "fail": self = .failure
            case "warn": self = .warning
            case "", "0", "off": return nil
            default: throw InvalidValue(value: value)
            }
        }
    }

    /// A value of the variable that has no meaning.
    struct InvalidValue: Error, CustomStringConvertible {
        let value: String

        var description: String {
            "leaks at exit not searched for, because \(variable) is \"\(value.printablePrefix)\": "
                + "use fail to fail on leaks, warn to report them, or 0"
        }
    }

    /// Plans the search for the exit of this process; writes a line to standard error if the value is invalid.
    static func plan(_ value: String) {
        do throws(InvalidValue) {
            guard let effect = try Effect(value) else { return }
            planned.withLock { $0 = Plan(effect: effect, process: .current) }
            searchAtExit()
        } catch {
            StandardError.writeLine("\(error)")
        }
    }

    private struct Plan: LockedState {
        let effect: Effect
        let process: ForkGeneration
    }

    private static let planned = Locked<Plan?>(nil)

    private static func searchAtExit() {
        #if canImport(Glibc)
        // Unlike `atexit`, this function tells the status.
        on_exit({ status, _ in LeaksAtExit.search(status: status) }, nil)
        #else
        atexit { LeaksAtExit.search(status: 0) }
        #endif
    }

    private static func search(status: CInt) {
        // A fork child also runs this handler, without the threads that it needs.
        guard let plan = planned.withLock({ $0 }), plan.process == .current else { return }
        let rules = LeakRules(severity: plan.effect == .failure ? .failure : .warning)
        let findings = HeapLeakCheck.ofWholeProcess(rules, subject: "the test run").findingsBlocking()
        for finding in findings {
            let lines = finding.text.split(separator: "\n").map { String($0).printable }
            StandardError.write("LifetimeTracer: \(lines.joined(separator: "\n"))\n")
        }
        guard status == 0, findings.contains(where: { $0.weight == .failure }) else { return }
        // The status can only be changed by ending the process here. Buffered output would be lost.
        fflush(nil)
        _exit(1)
    }
}

/// The constructor that reads the environment: the loader calls each function of this section before `main`.
///
/// The variable of a program with more rights than its caller is ignored.
#if canImport(Darwin)
@section("__DATA,__mod_init_func")
#else
@section(".init_array")
#endif
@used
private let planBeforeMain: @convention(c) () -> Void = {
    // A process without the variable pays one look-up, and no Swift value is made.
    guard let value = lt_environment_of_caller("LIFETIME_TRACER_LEAKS_AT_EXIT"), value.pointee != 0 else { return }
    LeaksAtExit.plan(String(cString: value))
    // Programs that the tests start, such as those of exit tests, must not fail because of their own leaks.
    unsetenv("LIFETIME_TRACER_LEAKS_AT_EXIT")
}
