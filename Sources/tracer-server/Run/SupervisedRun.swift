import CTracerSystem
import LifetimeTracer
import TracerBase

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A run that waits for the program, and reports the leaks at its exit.
struct SupervisedRun: Sendable {
    let options: RunOptions
    let record: ExitRecord

    /// Starts the program, waits for it, and ends this process; returns only if the program cannot be started.
    func replaceThisProcess(
        with path: String, _ words: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>, closing streams: [Int32]
    ) -> SystemError {
        let program: SupervisedProgram
        do throws(SystemError) {
            program = try SupervisedProgram.start(path, words, closing: streams)
        } catch {
            return error
        }
        var isPrinted = false
        let ending = program.wait {
            // The page may stay open for long after the search.
            guard !isPrinted, record.isSearched else { return }
            isPrinted = true
            StandardError.write(record.search(after: .exited(0), limit: options.searchLimit).text)
            record.notePrinted()
        }
        let outcome = RunOutcome(
            ending: ending, search: record.search(after: ending, limit: options.searchLimit),
            failsOnLeaks: options.failsOnLeaks)
        if !isPrinted { StandardError.write(outcome.search.text) }
        if let reason = outcome.reason {
            StandardError.writeLine("leaks not searched for at exit: \(reason)")
        }
        end(outcome.ownEnding(isReported: report(outcome, of: program)))
    }

    /// Writes the report, if there is to be one; returns whether that was possible.
    private func report(_ outcome: RunOutcome, of program: SupervisedProgram) -> Bool {
        guard let path = options.report else { return true }
        // If the path is a pipe without a reader, this waits, and signals must be able to end it.
        lt_let_signals_end_this_process()
        let report = RunReport(
            outcome: outcome, program: options.program, process: program.process, endedAt: SystemClock().wallNow())
        do throws(SystemError) {
            try FileReplacement.write(report.jsonBytes + [0x0A], to: path)
            return true
        } catch {
            StandardError.writeLine("cannot write the report to \"\(path)\": \(error)")
            return false
        }
    }

    private func end(_ ending: SupervisedProgram.Ending) -> Never {
        switch ending {
        case .exited(let status): exit(status)
        case .killed(let signal): lt_end_by_signal(signal)
        }
    }
}
